import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKubeClient, type KubeClient, requestJson } from "./client.ts";
import { credentialsReader, type KubeConnection } from "./connection.ts";
import { isRetryable, type KubeError } from "./error.ts";
import { FakeKubeApiserver } from "../testing/fake-kube-apiserver.ts";

const pods = { path: "/api/v1/namespaces/scans/pods" };
const cutOff = (response: ServerResponse): void => void response.destroy();

async function failureOf(pending: Promise<unknown>): Promise<KubeError> {
  const failure: unknown = await pending.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ name: "KubeError" });
  return failure as KubeError;
}

describe("requests to one cluster", () => {
  let server: FakeKubeApiserver;
  let client: KubeClient;
  beforeEach(async () => {
    server = await FakeKubeApiserver.start();
    client = server.client({ timeoutMs: 200 });
  });
  afterEach(async () => {
    client.close();
    await server[Symbol.asyncDispose]();
  });

  test("one after another share connections instead of opening one each", async () => {
    for (let turn = 0; turn < 20; turn += 1) await requestJson(client.transport, pods);
    expect(server.requests).toHaveLength(20);
    // The end of a response and the end of its connection's work are two moments: the next request may need a second one.
    expect(server.connections).toBeLessThanOrEqual(2);
  });

  test("requests to one cluster at the same time take no more connections than they may", async () => {
    const few = server.client({ maxConnections: 2 });
    await Promise.all(Array.from({ length: 10 }, () => requestJson(few.transport, pods)));
    expect(server.requests).toHaveLength(10);
    expect(server.connections).toBe(2);
    few.close();
  });

  test("carry the name of the program as user agent, and its token", async () => {
    const controller = server.client({ userAgent: "glovebox-controller" });
    await requestJson(controller.transport, { path: "/api/v1/pods" });
    expect(server.requests.map(({ headers }) => [headers["user-agent"], headers.authorization])).toEqual([
      ["glovebox-controller", "Bearer token-of-a-test"],
    ]);
    controller.close();
  });

  test("go to the path that the server's address has before the path of the API", async () => {
    const connection = { ...server.connection, server: new URL("/clusters/one/", server.url) };
    const proxied = createKubeClient(connection, { userAgent: "test" });
    await failureOf(requestJson(proxied.transport, { path: "/api/v1/pods", query: { limit: 1 } }));
    expect(server.requests[0]).toMatchObject({ path: "/clusters/one/api/v1/pods" });
    expect(server.requests[0]!.query.get("limit")).toBe("1");
    proxied.close();
  });

  test("requests to one cluster that hang end as a timeout, and the next one gets its response", async () => {
    server.fail({ times: 1, matches: () => true, act: () => undefined });
    const list = () => requestJson(client.transport, { path: "/api/v1/pods" });
    const hung = await failureOf(list());
    expect(hung).toMatchObject({ reason: "Timeout" });
    expect(isRetryable(hung)).toBe(true);
    await expect(list()).resolves.toMatchObject({ items: [] });
  });

  test("requests to one cluster are cut off in that time too when their response never ends, unless they are streams", async () => {
    const responses: ServerResponse[] = [];
    const act = (response: ServerResponse): void => {
      responses.push(response);
      response.write("{");
    };
    server.fail({ times: 2, matches: () => true, act });
    const stream = await client.transport({ path: "/api/v1/pods", idleTimeoutMs: 0 });
    const call = requestJson(client.transport, { path: "/api/v1/pods" });
    await expect(call).rejects.toMatchObject({ reason: "Timeout" });
    responses[0]!.end("}");
    await expect(json(stream)).resolves.toEqual({});
  });

  test("end when their signal aborts, before their response and within it", async () => {
    const asked = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const acts = [
      () => asked.resolve(),
      (response: ServerResponse) => {
        response.on("close", () => closed.resolve());
        response.write("{");
      },
    ];
    server.fail({ times: 2, matches: () => true, act: (response) => acts.shift()!(response) });
    const [first, second] = [new AbortController(), new AbortController()];
    const withoutResponse = failureOf(client.transport({ ...pods, signal: first.signal }));
    await asked.promise;
    first.abort();
    expect(await withoutResponse).toMatchObject({ reason: "Aborted", code: undefined });
    const body = await client.transport({ ...pods, signal: second.signal, idleTimeoutMs: 0 });
    second.abort();
    await expect(json(body)).rejects.toMatchObject({ name: "KubeError" });
    await closed.promise;
    await expect(client.transport({ ...pods, signal: second.signal })).rejects.toThrow("Aborted");
    expect(server.requests).toHaveLength(2);
  });

  test("requests to one cluster that break off within their response fail as retryable", async () => {
    const act = (response: ServerResponse): void => void response.write("{", () => response.destroy());
    server.fail({ times: 1, matches: () => true, act });
    expect(isRetryable(await failureOf(requestJson(client.transport, pods)))).toBe(true);
  });

  test("requests to one cluster whose response is not JSON fail, and not as retryable", async () => {
    server.fail({ times: 1, matches: () => true, act: (response) => void response.end("<html>") });
    const failure = await failureOf(requestJson(client.transport, pods));
    expect(failure.message).toBe("GET /api/v1/namespaces/scans/pods: Unexpected");
    expect(isRetryable(failure)).toBe(false);
  });
});

describe("a kept connection that the server has closed", () => {
  let server: FakeKubeApiserver;
  let client: KubeClient;
  const create = (name: string) =>
    requestJson(client.transport, { ...pods, method: "POST", body: { metadata: { name } } });
  const dropOne = () => server.fail({ times: 1, matches: () => true, act: cutOff });
  beforeEach(async () => {
    server = await FakeKubeApiserver.start();
    client = server.client();
  });
  afterEach(async () => {
    client.close();
    await server[Symbol.asyncDispose]();
  });

  test("a kept connection that the server has closed is replaced for a GET, which is sent once more", async () => {
    await requestJson(client.transport, pods);
    dropOne();
    await requestJson(client.transport, pods);
    expect([server.connections, server.requests.length]).toEqual([2, 3]);
  });

  test("fails a write, which may have arrived", async () => {
    await create("a");
    dropOne();
    expect(await failureOf(create("b"))).toMatchObject({ message: `POST ${pods.path}: no response` });
    expect(server.requests).toHaveLength(2);
  });

  test("a kept connection that the server has closed is replaced for a write that may arrive twice", async () => {
    client.close();
    client = server.client({ repeatWrites: true });
    await create("a");
    dropOne();
    await create("b");
    expect([server.connections, server.requests.length]).toEqual([2, 3]);
  });

  test("a kept connection that the server has closed is not a reason to send a request a third time", async () => {
    await requestJson(client.transport, pods);
    server.fail({ times: 2, matches: () => true, act: cutOff });
    expect(isRetryable(await failureOf(requestJson(client.transport, pods)))).toBe(true);
    expect(server.requests).toHaveLength(3);
  });
});

describe("a connection with TLS", () => {
  let server: FakeKubeApiserver;
  let folder: string;
  beforeEach(async () => {
    server = await FakeKubeApiserver.start({ tls: true });
    folder = await mkdtemp(join(tmpdir(), "glovebox-ca-"));
  });
  afterEach(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });
  const over = async (connection: Partial<KubeConnection>, list = pods): Promise<unknown> => {
    const client = createKubeClient({ ...server.connection, ...connection }, { userAgent: "test" });
    try {
      return await requestJson(client.transport, list);
    } finally {
      client.close();
    }
  };

  test("a connection with TLS is not made to a server whose certificate another authority signed", async () => {
    await using other = await FakeKubeApiserver.start({ tls: true });
    const failure = await failureOf(over({ credentials: other.connection.credentials }));
    expect((failure.cause as NodeJS.ErrnoException).code).toMatch(/CERT|SIGNATURE/);
    expect(failure.message).toBe(`GET ${pods.path}: no response`);
    expect(server.requests).toEqual([]);
  });

  test("a connection with TLS is made to any server where certificates are not verified", async () => {
    const { token } = await server.connection.credentials();
    await expect(over({ insecure: true, credentials: async () => ({ token }) })).resolves.toBeTypeOf(
      "object",
    );
  });

  test("a connection with TLS is not made to a server whose certificate is for another name", async () => {
    const failure = await failureOf(over({ serverName: "kubernetes.default" }));
    expect(failure.cause).toMatchObject({ code: "ERR_TLS_CERT_ALTNAME_INVALID" });
  });

  test("a connection with TLS without the right token is refused", async () => {
    const { ca } = await server.connection.credentials();
    expect((await failureOf(over({ credentials: async () => ({ ca, token: "no" }) }))).code).toBe(401);
  });

  test("a connection with TLS is kept while the authority on disk is the same, and created again once it was replaced", async () => {
    let time = 0;
    const { ca, token } = await server.connection.credentials();
    const file = join(folder, "ca.crt");
    await writeFile(file, ca!);
    const credentials = credentialsReader(
      { ca: { file }, token: { text: token! } },
      { monotonic: () => time },
    );
    const client = createKubeClient({ ...server.connection, credentials }, { userAgent: "test" });
    for (let turn = 0; turn < 3; turn++) await requestJson(client.transport, pods);
    expect(server.connections).toBe(1);
    await using other = await FakeKubeApiserver.start({ tls: true });
    await writeFile(file, (await other.connection.credentials()).ca!);
    time = 60_000;
    await failureOf(requestJson(client.transport, pods));
    await writeFile(file, ca!);
    time = 120_000;
    await requestJson(client.transport, pods);
    client.close();
  });
});
