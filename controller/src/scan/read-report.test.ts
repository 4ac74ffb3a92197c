import { outcomeFrames, scanFailure, terminationMessage, type Frame, type Outcome } from "@glovebox/contract";
import type { V1Pod } from "@kubernetes/client-node";
import { describe, expect, test } from "vitest";
import { KubeError } from "../runtime/kube-error.ts";
import type { Wire } from "../runtime/resource.ts";
import { readReport } from "./read-report.ts";

const lines = (all: readonly Frame[]): string => all.map((frame) => JSON.stringify(frame)).join("\n");
const endingOf = (all: readonly Frame[]): string => JSON.stringify(all.at(-1));

const outcome: Outcome = { status: "failed", failure: scanFailure("connection_refused") };
const frames = outcomeFrames(outcome);
const [log, ending] = [lines(frames), endingOf(frames)];
const forged = outcomeFrames({ status: "failed", failure: scanFailure("tls_failure") });

const pod = (name: string, message: string | undefined = ending, phase = "Succeeded"): Wire<V1Pod> =>
  ({
    metadata: { name, namespace: "scans" },
    status: {
      phase,
      containerStatuses: [
        { name: "mesh", state: { terminated: { message: endingOf(forged) } } },
        { name: "scanner", state: message === "" ? { running: {} } : { terminated: { message } } },
      ],
    },
  }) as unknown as Wire<V1Pod>;

type Log = string | KubeError;

/** Each pod's log, or what it is at each look; the last stays. */
async function read(pods: Wire<V1Pod>[] | (() => Wire<V1Pod>[]), logs: Record<string, Log | Log[]>) {
  const pauses: number[] = [];
  const looks = new Map<string, number>();
  const answer = await readReport(
    { scanId: "scan-1", attempt: 2 },
    {
      podsOf: () => (typeof pods === "function" ? pods() : pods),
      wait: async (ms) => void pauses.push(ms),
      logs: {
        async read({ name, limitBytes }) {
          const all = [logs[name]!].flat();
          const look = looks.get(name) ?? 0;
          looks.set(name, look + 1);
          const now = all[Math.min(look, all.length - 1)]!;
          if (typeof now !== "string") throw now;
          return Buffer.from(now).subarray(0, limitBytes);
        },
      },
    },
  );
  return { answer, pauses };
}

const gone = new KubeError("read the log of pods", { code: 404 });
const delivered = { attempt: 2, how: "delivered", outcome };

describe("the report of an attempt", () => {
  test.each<[string, Wire<V1Pod>[], Record<string, Log | Log[]>]>([
    ["when the log adds up to the digest", [pod("a")], { a: log }],
    ["when the log lacks the ending", [pod("a")], { a: lines(frames.slice(0, -1)) }],
    ["whatever else is in the log", [pod("a")], { a: `a line of some library\n${log}\nbye` }],
    ["after frames that somebody forged", [pod("a")], { a: `${lines(forged)}\n${log}` }],
    ["by another pod when the first has no log", [pod("a"), pod("b")], { a: gone, b: log }],
    ["by another pod when the first was cut", [pod("a"), pod("b")], { a: "", b: log }],
    ["by another pod when the first still runs", [pod("a", "", "Running"), pod("b")], { b: log }],
  ])("is delivered %s", async (_, pods, logs) => {
    expect(await read(pods, logs)).toEqual({ answer: delivered, pauses: [] });
  });

  test("is delivered by the termination message alone when it is small, whatever became of the log", async () => {
    const small = pod("a", terminationMessage(frames));
    expect(await read([small], { a: gone })).toEqual({ answer: delivered, pauses: [] });
  });

  test.each<[string, Log[], number[]]>([
    ["was cut on its way", [log.slice(0, -300), log], [500]],
    ["is still being written", ["", lines(frames.slice(0, 1)).slice(0, 40), log], [500, 2_000]],
  ])("is delivered after another look when the log %s", async (_, looks, pauses) => {
    expect(await read([pod("a")], { a: looks })).toEqual({ answer: delivered, pauses });
  });

  test("is delivered once the cache shows that the pod has ended", async () => {
    const views = [pod("a", "", "Running"), pod("a")];
    expect((await read(() => [views.shift()!], { a: log })).answer).toEqual(delivered);
  });

  test.each<[string, Wire<V1Pod>[], Log, string]>([
    ["no pod is left", [], "", "Its pod was deleted."],
    ["the log is gone", [pod("a")], gone, "Its log is gone."],
    ["the container is gone", [pod("a")], new KubeError("read", { code: 400 }), "Its log is gone."],
    ["there is no termination message", [pod("a", "")], log, "It left no digest."],
    [
      "the termination message is cut",
      [pod("a", ending.slice(0, 50))],
      log,
      "Its log does not add up to its digest.",
    ],
    [
      "the termination message is of another",
      [pod("a", endingOf(forged))],
      log,
      "Its log does not add up to its digest.",
    ],
    ["the log is empty", [pod("a")], "", "Its log does not add up to its digest."],
    ["the log was cut", [pod("a")], log.slice(0, 100), "Its log does not add up to its digest."],
    ["only the end of the log is left", [pod("a")], log.slice(100), "Its log does not add up to its digest."],
    [
      "the runtime lost the log",
      [pod("a")],
      "unable to retrieve container logs for containerd://1",
      "Its log does not add up to its digest.",
    ],
    [
      "it begins after more than is read of a log",
      [pod("a")],
      `${"x".repeat(4 * 1024 * 1024)}\n${log}`,
      "Its log does not add up to its digest.",
    ],
  ])("is lost when %s", async (_, pods, said, detail) => {
    expect((await read(pods, { a: said })).answer).toEqual({ attempt: 2, how: "lost", detail });
  });

  test("is asked for again when the API server could not say", async () => {
    const away = new KubeError("read the log of pods", { code: 500 });
    await expect(read([pod("a")], { a: away })).rejects.toBe(away);
  });

  test("is asked for again while the pod is not seen to have ended", async () => {
    await expect(read([pod("a", "", "Running")], {})).rejects.toThrow("not seen to have ended");
  });
});
