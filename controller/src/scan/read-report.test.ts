import { outcomeFrames, scanFailure, type Frame, type Outcome } from "@glovebox/contract";
import type { V1Pod } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { KubeError } from "../runtime/kube-error.ts";
import type { Wire } from "../runtime/resource.ts";
import { readReport } from "./read-report.ts";

const outcome: Outcome = { status: "failed", failure: scanFailure("connection_refused") };
const frames = outcomeFrames(outcome);
const lines = (all: readonly Frame[]) => all.map((frame) => JSON.stringify(frame)).join("\n");

const pod = (name: string, message = ""): Wire<V1Pod> =>
  ({
    metadata: { name, namespace: "scans" },
    status: { containerStatuses: [{ state: { terminated: { message } } }] },
  }) as unknown as Wire<V1Pod>;

const read = (pods: Wire<V1Pod>[], logs: Record<string, string | KubeError>) =>
  readReport(
    { scanId: "scan-1", attempt: 2 },
    {
      podsOf: () => pods,
      logs: {
        async read({ name }) {
          const log = logs[name]!;
          if (typeof log !== "string") throw log;
          return Buffer.from(log);
        },
      },
    },
  );

describe("the report of an attempt", () => {
  test("is delivered when the log adds up to its digest, whatever else is in it", async () => {
    const log = `a line of some library\n${lines(frames)}\n`;
    expect(await read([pod("a")], { a: log })).toEqual({ attempt: 2, how: "delivered", outcome });
  });

  test("is delivered when the ending is in the termination message alone", async () => {
    const ending = JSON.stringify(frames.at(-1));
    expect(await read([pod("a", ending)], { a: lines(frames.slice(0, -1)) })).toMatchObject({ outcome });
  });

  test("is delivered by another pod of the attempt when the first has none", async () => {
    const gone = new KubeError("read the log of pods", { code: 404 });
    expect(await read([pod("a"), pod("b")], { a: gone, b: lines(frames) })).toMatchObject({ outcome });
  });

  test.each<[string, Wire<V1Pod>[], string | KubeError, string]>([
    ["no pod is left", [], "", "Its pod was deleted."],
    ["the log is gone", [pod("a")], new KubeError("read", { code: 404 }), "Its log is gone."],
    [
      "the log was cut",
      [pod("a", JSON.stringify(frames.at(-1)))],
      "{}",
      "Its log does not add up to its digest.",
    ],
    [
      "the log has no ending",
      [pod("a")],
      lines(frames.slice(0, -1)),
      "Its log does not add up to its digest.",
    ],
  ])("is lost when %s", async (_, pods, log, detail) => {
    expect(await read(pods, { a: log })).toEqual({ attempt: 2, how: "lost", detail });
  });

  test("is asked for again when the API server could not say", async () => {
    const away = new KubeError("read the log of pods", { code: 500 });
    await expect(read([pod("a")], { a: away })).rejects.toBe(away);
  });
});
