import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import {
  type Frame,
  type Outcome,
  outcomeFrames,
  OutcomeReader,
  terminationMessage,
} from "@glovebox/scan-run";
import { scanFailure } from "@glovebox/contract";
import { KubeError } from "@glovebox/kube";
import { afterAll, describe, expect, test } from "vitest";
import type { Pod } from "../kubernetes/api-client.ts";
import { reportReader } from "./read-report.ts";

const lines = (all: readonly Frame[]): string => all.map((frame) => JSON.stringify(frame)).join("\n");
const endingOf = (all: readonly Frame[]): string => JSON.stringify(all.at(-1));

const outcome: Outcome = { status: "failed", failure: scanFailure("connection_refused") };
const frames = outcomeFrames(outcome);
const [log, ending] = [lines(frames), endingOf(frames)];
const forged = outcomeFrames({ status: "failed", failure: scanFailure("tls_failure") });

const pod = (name: string, message: string | undefined = ending, phase = "Succeeded"): Pod =>
  ({
    metadata: { name, namespace: "scans" },
    status: {
      phase,
      containerStatuses: [
        { name: "mesh", state: { terminated: { message: endingOf(forged) } } },
        { name: "scanner", state: message === "" ? { running: {} } : { terminated: { message } } },
      ],
    },
  }) as unknown as Pod;

const outcomes = new OutcomeReader();
afterAll(() => outcomes[Symbol.asyncDispose]());

type Log = string | KubeError;

/** Each pod's log, or what it is at each look; the last stays. */
async function read(pods: Pod[] | (() => Pod[]), logs: Record<string, Log | Log[]>) {
  const pauses: number[] = [];
  const looks = new Map<string, number>();
  const readReport = reportReader({
    podsOf: () => (typeof pods === "function" ? pods() : pods),
    outcomes,
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
  });
  const response = await readReport(2, "job-2");
  return { response, pauses };
}

const notFound = new KubeError("read the log of pods", { code: 404 });
const delivered = { attempt: 2, how: "delivered", outcome };

describe("the report of an attempt", () => {
  test.each<[string, Pod[], Record<string, Log | Log[]>]>([
    ["when the log adds up to the digest", [pod("a")], { a: log }],
    ["when the log lacks the ending", [pod("a")], { a: lines(frames.slice(0, -1)) }],
    ["with anything else in the log", [pod("a")], { a: `a line of some library\n${log}\nbye` }],
    ["after frames that somebody forged", [pod("a")], { a: `${lines(forged)}\n${log}` }],
    ["by another pod when the first has no log", [pod("a"), pod("b")], { a: notFound, b: log }],
    ["by another pod when the first was cut", [pod("a"), pod("b")], { a: "", b: log }],
    ["by another pod when the first still runs", [pod("a", "", "Running"), pod("b")], { b: log }],
  ])("the report of an attempt is delivered %s", async (_, pods, logs) => {
    expect(await read(pods, logs)).toEqual({ response: delivered, pauses: [] });
  });

  test("the report of an attempt is delivered by the termination message alone when it is small, regardless of the log", async () => {
    const small = pod("a", terminationMessage(frames));
    expect(await read([small], { a: notFound })).toEqual({ response: delivered, pauses: [] });
  });

  test.each<[string, Log[], number[]]>([
    ["was cut on its way", [log.slice(0, -300), log], [500]],
    ["is still being written", ["", lines(frames.slice(0, 1)).slice(0, 40), log], [500, 2_000]],
  ])("the report of an attempt is delivered after another look when the log %s", async (_, looks, pauses) => {
    expect(await read([pod("a")], { a: looks })).toEqual({ response: delivered, pauses });
  });

  test("the report of an attempt is delivered once the cache shows that the pod has ended", async () => {
    const views = [pod("a", "", "Running"), pod("a")];
    expect((await read(() => [views.shift()!], { a: log })).response).toEqual(delivered);
  });

  test.each<[string, Pod[], Log, string]>([
    ["no pod is left", [], "", "Its pod was deleted."],
    ["the log no longer exists", [pod("a")], notFound, "Its log was deleted."],
    [
      "the container no longer exists",
      [pod("a")],
      new KubeError("read", { code: 400 }),
      "Its log was deleted.",
    ],
    ["there is no termination message", [pod("a", "")], log, "It has no termination message with a digest."],
    [
      "the termination message is cut",
      [pod("a", ending.slice(0, 50))],
      log,
      "Its log does not match its digest.",
    ],
    [
      "the termination message is of another",
      [pod("a", endingOf(forged))],
      log,
      "Its log does not match its digest.",
    ],
    ["the log is empty", [pod("a")], "", "Its log does not match its digest."],
    ["the log was cut", [pod("a")], log.slice(0, 100), "Its log does not match its digest."],
    ["only the end of the log is left", [pod("a")], log.slice(100), "Its log does not match its digest."],
    [
      "the runtime lost the log",
      [pod("a")],
      "unable to retrieve container logs for containerd://1",
      "Its log does not match its digest.",
    ],
    [
      "it begins after more than is read of a log",
      [pod("a")],
      `${"x".repeat(4 * 1024 * 1024)}\n${log}`,
      "Its log does not match its digest.",
    ],
  ])("the report of an attempt is lost when %s", async (_, pods, said, detail) => {
    expect((await read(pods, { a: said })).response).toEqual({ attempt: 2, how: "lost", detail });
  });

  test.each<[string, string]>([
    ["is not gzip", "no gzip"],
    ["is not a report", gzipSync("{}").toString("latin1")],
  ])(
    "the report of an attempt is malformed immediately when it %s, and its log is read once",
    async (_, text) => {
      const packed = Buffer.from(text, "latin1");
      const sha256 = createHash("sha256").update(packed).digest("hex");
      const piece = { frame: "report", seq: 0, of: 1, sha256, data: packed.toString("base64") };
      const end = { frame: "ending", status: "completed", size: packed.length, sha256, findings: 0 };
      const { response, pauses } = await read([pod("a", JSON.stringify(end))], {
        a: [JSON.stringify(piece), log],
      });
      expect([response.how, pauses]).toEqual(["malformed", []]);
    },
  );

  test("the report of an attempt is malformed when its log is nothing but the ends of lines", async () => {
    const { response, pauses } = await read([pod("a")], { a: "\n".repeat(400_000) });
    const detail = "Its log has too many lines.";
    expect([response, pauses]).toEqual([{ attempt: 2, how: "malformed", detail }, []]);
  });

  test("the report of an attempt is asked for again when the thread that decodes could not be started", async () => {
    const readReport = reportReader({
      podsOf: () => [pod("a")],
      outcomes: { read: () => Promise.reject(new Error("no thread")) },
      wait: async () => {},
      logs: { read: async () => Buffer.from(log) },
    });
    await expect(readReport(1, "job-1")).rejects.toThrow("no thread");
  });

  test("the report of an attempt is held with one other at most, however many are asked for", async () => {
    const [begun, more] = [[] as string[], Promise.withResolvers<Buffer<ArrayBuffer>>()];
    const readReport = reportReader({
      podsOf: (name) => [pod(name)],
      outcomes,
      wait: async () => {},
      logs: { read: ({ name }) => (begun.push(name), more.promise) },
    });
    const all = Promise.all(["a", "b", "c"].map((name) => readReport(2, name)));
    await outcomes.read({}); // by then the messages are read
    await new Promise((resolve) => void setImmediate(resolve));
    expect(begun).toEqual(["a", "b"]);
    more.resolve(Buffer.from(log.padEnd(20_000)));
    expect(await all).toEqual([delivered, delivered, delivered]);
  });

  test("the report of an attempt is asked for again when the API server could not say", async () => {
    const away = new KubeError("read the log of pods", { code: 500 });
    await expect(read([pod("a")], { a: away })).rejects.toBe(away);
  });

  test("the report of an attempt is asked for again while the pod is not seen to have ended", async () => {
    await expect(read([pod("a", "", "Running")], {})).rejects.toThrow(
      "does not show yet that the pod has ended",
    );
  });
});
