import type { ProgressFrame } from "@glovebox/scan-run";
import type { LogRequest } from "@glovebox/kube";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ProgressFollowers, type ProgressFollowersOptions } from "./progress.ts";

afterEach(() => void vi.useRealTimers());

const POD = { metadata: { namespace: "scans", name: "pod-1" } };
const line = (frame: object): Uint8Array => Buffer.from(`${JSON.stringify(frame)}\n`);
const progress = (done: number): Uint8Array =>
  line({ frame: "progress", category: "ssrf", done, planned: 4 });
const NOTED = {
  ...{ form: "creation", operation: { method: "POST", path: "/notes" }, caller: "self-1", cleaned: false },
  request: { method: "POST", url: "https://api.shop.example/notes", headers: {} },
};
const piece = line({ frame: "report", seq: 0, of: 1, data: "AAAA" });

/** Followers of one pod with this log; a log that is left open stays open until it is closed. */
function following(log: readonly Uint8Array[], options: Partial<ProgressFollowersOptions> = {}) {
  vi.useFakeTimers();
  const seen = { requests: [] as LogRequest[], closed: 0, failed: [] as string[] };
  const written: [string, number][] = [];
  const noted: number[] = [];
  const followers = new ProgressFollowers({
    logs: {
      async *follow(request) {
        seen.requests.push(request);
        try {
          yield* log;
          await new Promise((_, reject) =>
            request.signal!.addEventListener("abort", () => reject(new Error("aborted"))),
          );
        } finally {
          seen.closed += 1;
        }
      },
    },
    work: {
      progress: async (id: string, { done }: ProgressFrame) => void written.push([id, done]),
    },
    scanWrites: {
      note: async (_, writes) => void noted.push(...writes.map(({ seq }) => seq)),
    },
    delayMs: 1_000,
    runningPods: () => [POD],
    onFailure: (scanId) => seen.failed.push(scanId),
    ...options,
  });
  return { followers, seen, written, noted };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("the progress of a running scan", () => {
  test("the progress of a running scan is written as it comes, the latest at most once a second", async () => {
    const { followers, written } = following([progress(1), progress(2), progress(3)]);
    followers.follow("scan-1", 1, "job-1");
    await pass(1_999);
    expect(written).toEqual([]);
    await pass(1);
    expect(written).toEqual([["scan-1", 3]]);
    await followers.stop();
  });

  test("comes with the writes of an active scan, each as soon as it is noted", async () => {
    const write = (seq: number) => line({ frame: "write", write: { ...NOTED, seq } });
    const { followers, noted } = following([write(0), progress(1), write(1)]);
    followers.follow("scan-1", 1, "job-1");
    await pass(1_000);
    expect(noted).toEqual([0, 1]);
    await followers.stop();
  });

  test("the progress of a running scan is asked for once for each attempt, with one call", async () => {
    const { followers, seen } = following([progress(1)]);
    followers.follow("scan-1", 1, "job-1");
    followers.follow("scan-1", 1, "job-1");
    await pass(1_000);
    followers.follow("scan-1", 1, "job-1");
    expect(followers.attemptOf("scan-1")).toBe(1);
    followers.follow("scan-1", 2, "job-2");
    await pass(1_000);
    expect(seen.requests).toHaveLength(2);
    expect(seen.requests[0]).toMatchObject({ namespace: "scans", name: "pod-1", container: "scanner" });
    await followers.stop();
  });

  test("the progress of a running scan is asked for no more often than the rate allows, and at a later look for whom it did not", async () => {
    const rate = { burst: 2, perSecond: 1 };
    const { followers, seen } = following([progress(1)], { rate });
    const look = (): void => ["a", "b", "c"].forEach((scanId) => followers.follow(scanId, 1, "job-1"));
    look();
    await pass(1_000);
    expect(seen.requests).toHaveLength(2);
    expect(followers.attemptOf("c")).toBeUndefined();
    look();
    await pass(1_000);
    expect(seen.requests).toHaveLength(3);
    await followers.stop();
  });

  test("the progress of a running scan is not asked for when the scan is over by then", async () => {
    const { followers, seen } = following([progress(1)], { runningPods: () => [] });
    followers.follow("scan-1", 1, "job-1");
    await pass(5_000);
    expect(seen).toMatchObject({ requests: [], failed: [] });
  });

  test("ends where the report begins: what comes after it is passed over", async () => {
    const { followers, written } = following([progress(1), piece, progress(4)]);
    followers.follow("scan-1", 1, "job-1");
    await pass(3_000);
    expect(written).toEqual([["scan-1", 1]]);
    await followers.stop();
  });

  test("passes over lines that are not frames, and frames that come in parts", async () => {
    const text = progress(2);
    const parts = [Buffer.from("warning: é\nnull\n"), text.subarray(0, 9), text.subarray(9)];
    const { followers, written } = following(parts);
    followers.follow("scan-1", 1, "job-1");
    await pass(2_000);
    expect(written).toEqual([["scan-1", 2]]);
    await followers.stop();
  });

  test.each([
    [
      "lines of progress",
      `${JSON.stringify({ frame: "progress", category: "ssrf", done: 1, planned: 4 })}\n`,
    ],
    ["empty lines", "\n"],
  ])(
    "the progress of a running scan is not listened to any longer when it is more %s than a scanner prints",
    async (_, text) => {
      const flood = Buffer.from(text.repeat(20_000));
      const { followers, seen, written } = following([flood, progress(3)]);
      followers.follow("scan-1", 1, "job-1");
      await pass(3_000);
      expect([seen.closed, written.filter(([, done]) => done === 3)]).toEqual([1, []]);
      await followers.stop();
    },
  );

  test("passes over a line that is longer than any of its frames", async () => {
    const { followers, written } = following([
      Buffer.from('{"frame":"'.padEnd(20_000)),
      progress(1),
      progress(2),
    ]);
    followers.follow("scan-1", 1, "job-1");
    await pass(3_000);
    expect(written).toEqual([["scan-1", 2]]);
    await followers.stop();
  });

  test("the progress of a running scan is followed again after a failure, at the next look at the scan", async () => {
    const logs = {
      // oxlint-disable-next-line require-yield -- it fails before it gives anything
      async *follow(): AsyncGenerator<Uint8Array, void> {
        throw new Error("away");
      },
    };
    const { followers, seen } = following([], { logs });
    followers.follow("scan-1", 1, "job-1");
    await pass(1_000);
    expect(seen.failed).toEqual(["scan-1"]);
    expect(followers.attemptOf("scan-1")).toBeUndefined();
  });

  test("the progress of a running scan is not written any more once it is stopped, and nothing new is begun", async () => {
    const { followers, seen, written } = following([progress(1)]);
    followers.follow("scan-1", 1, "job-1");
    await pass(1_000);
    await followers.stop();
    followers.follow("scan-2", 1, "job-1");
    await pass(5_000);
    expect([written, seen.closed, seen.failed, seen.requests.length]).toEqual([[], 1, [], 1]);
  });
});
