import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isNotFound, isRetryable } from "./error.ts";
import type { KubeClient } from "./client.ts";
import { type LogRequest, type PodLogs, podLogs } from "./pod-logs.ts";
import { FakeKubeApiserver } from "../testing/fake-kube-apiserver.ts";

const PATH = "/api/v1/namespaces/scans/pods/p/log";
const request: LogRequest = { namespace: "scans", name: "p", container: "scanner", limitBytes: 100 };

let server: FakeKubeApiserver;
let client: KubeClient;
let logs: PodLogs;
beforeEach(async () => {
  server = await FakeKubeApiserver.start();
  client = server.client();
  logs = podLogs(client.transport);
});
afterEach(async () => {
  client.close();
  await server[Symbol.asyncDispose]();
});

const serves = (act: (response: ServerResponse) => void): void => void server.logs.set(PATH, act);
const failureOf = async (follow: Partial<LogRequest> = {}): Promise<unknown> => {
  try {
    for await (const _ of logs.follow({ ...request, ...follow }));
    return undefined;
  } catch (error) {
    return error;
  }
};

describe("the log of a pod", () => {
  test("the log of a pod is read whole, of the container and up to the limit that were asked for", async () => {
    serves((response) => response.end("a log"));
    expect((await logs.read(request)).toString()).toBe("a log");
    expect(Object.fromEntries(server.requests[0]!.query)).toEqual({
      container: "scanner",
      limitBytes: "100",
    });
  });

  test("the log of a pod is cut off at the limit even when the server sends more", async () => {
    serves((response) => response.end("x".repeat(500)));
    expect(await logs.read(request)).toHaveLength(100);
  });

  test("the log of a pod of a deleted pod is not found", async () => {
    const error: unknown = await logs.read(request).catch((failure: unknown) => failure);
    expect(isNotFound(error)).toBe(true);
  });

  test("the log of a pod is followed piece by piece until the container ends", async () => {
    const open = Promise.withResolvers<ServerResponse>();
    serves((response) => (response.write("one"), open.resolve(response)));
    const pieces: string[] = [];
    for await (const piece of logs.follow(request)) {
      pieces.push(Buffer.from(piece).toString());
      const response = await open.promise;
      if (pieces.length === 1) response.write("two");
      else response.end();
    }
    expect(pieces).toEqual(["one", "two"]);
    expect(server.requests[0]!.query.get("follow")).toBe("true");
  });

  test("the log of a pod that is cut off by the server fails as retryable, and as nothing else", async () => {
    serves((response) => response.write("one", () => response.destroy()));
    expect(isRetryable(await failureOf())).toBe(true);
  });

  test("the log of a pod that is silent for too long fails as a timeout", async () => {
    serves((response) => response.write("one"));
    expect(await failureOf({ idleTimeoutMs: 50 })).toMatchObject({ reason: "Timeout" });
  });

  test("the log of a pod is closed when its reader leaves or aborts", async () => {
    const closed: Promise<void>[] = [];
    serves((response) => {
      closed.push(new Promise((resolve) => response.on("close", resolve)));
      response.write("one");
    });
    for await (const _ of logs.follow(request)) break;
    const reader = new AbortController();
    for await (const _ of logs.follow({ ...request, signal: reader.signal })) {
      reader.abort();
      break;
    }
    await Promise.all(closed);
    expect(closed).toHaveLength(2);
  });
});
