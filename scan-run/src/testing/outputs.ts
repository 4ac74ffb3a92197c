import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Finding } from "@glovebox/contract";
import { MAX_INFLATED_BYTES, MAX_LOG_BYTES, MAX_VALUES, outcomeFrames, type Outcome } from "../frames.ts";
import type { ScannerOutput } from "../outcome-reader.ts";
import { assess } from "@glovebox/domain";
import { WHOLLY_TESTED, found } from "@glovebox/domain/testing";

export type Completed = Extract<Outcome, { status: "completed" }>;

/** A report of these findings and notes. */
export function completed(findings: Finding[] = [], notes: string[] = []): Completed {
  const { score, grade, categories, coverage, scoring } = assess({ findings, ...WHOLLY_TESTED });
  const statistics = { requests: 1, operations: 1, durationMs: 1 };
  return {
    status: "completed",
    report: { score, grade, categories, findings, coverage, scoring, checks: [], notes, statistics },
  };
}

const textOf = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

/** What a scanner of ours leaves: its ending beside its log. */
export function outputOf(outcome: Outcome): Required<ScannerOutput> {
  const frames = outcomeFrames(outcome);
  return { message: JSON.stringify(frames.at(-1)), log: Buffer.from(textOf(frames.slice(0, -1))) };
}

/** The output of a compromised scanner: any text, in the frames of a report. */
function outputWith(json: string | Uint8Array): Required<ScannerOutput> {
  const packed = gzipSync(json, { level: 9 });
  const sha256 = createHash("sha256").update(packed).digest("hex");
  const pieces = Array.from({ length: Math.ceil(packed.length / 6_000) }, (_, seq) => ({
    frame: "report",
    seq,
    of: 1,
    sha256,
    data: packed.subarray(seq * 6_000, (seq + 1) * 6_000).toString("base64"),
  }));
  const ending = { frame: "ending", status: "completed", size: packed.length, sha256, findings: 0 };
  return { message: JSON.stringify(ending), log: Buffer.from(textOf(pieces)) };
}

const withLog = (text: string): Required<ScannerOutput> => ({
  ...outputOf(completed()),
  log: Buffer.from(text),
});
const progress = '{"frame":"progress","category":"ssrf","done":1,"planned":2}\n';

/** A report in JSON that has besides what only a hostile scanner puts there. */
const reportWith = (more: object): string => {
  const { report } = completed();
  return JSON.stringify({ status: "completed", report: { ...report, ...more } });
};
/** A little below what is refused unparsed. */
const MANY = MAX_VALUES - 1_000;
const keys = (count: number): [string, number][] => Array.from({ length: count }, (_, at) => [`k${at}`, at]);

/** Outputs that attack the reader. None of them is a valid report. */
export const HOSTILE: Readonly<Record<string, () => Required<ScannerOutput>>> = {
  "400,000 empty lines": () => withLog("\n".repeat(400_000)),
  "nothing but line ends": () => withLog("\n".repeat(MAX_LOG_BYTES)),
  "many short lines": () => withLog("{}\n".repeat(MAX_LOG_BYTES / 3)),
  "many lines of progress": () => withLog(progress.repeat(MAX_LOG_BYTES / progress.length)),
  "32 MiB of objects": () => outputWith(`[${"{},".repeat((32 * 1024 * 1024) / 3)}{}]`),
  "32 MiB of arrays in one another": () => outputWith("[".repeat(32 * 1024 * 1024)),
  "8 MiB of objects": () => outputWith(`[${"{},".repeat(MAX_INFLATED_BYTES / 3 - 2)}{}]`),
  "8 MiB of arrays in one another": () => outputWith("[".repeat(MAX_INFLATED_BYTES)),
  "8 MiB that are not UTF-8": () =>
    outputWith(
      Buffer.concat([Buffer.from('"'), Buffer.alloc(MAX_INFLATED_BYTES - 2, 0xff), Buffer.from('"')]),
    ),
  "the maximum number of wrong values that are parsed": () =>
    outputWith(reportWith({ notes: Array(MANY).fill(0) })),
  "the same number of wrong findings": () =>
    outputWith(reportWith({ findings: Array.from({ length: MANY / 2 }, () => ({})) })),
};

/** Such as only a hostile scanner makes, and yet reports by all that is checked. */
export const HOSTILE_REPORTS: Readonly<Record<string, () => Required<ScannerOutput>>> = {
  "the maximum number of names that are parsed": () =>
    outputWith(reportWith({ more: Object.fromEntries(keys(MANY)) })),
  "the same number of shapes": () =>
    outputWith(reportWith({ more: keys(MANY / 2).map((key) => Object.fromEntries([key])) })),
  "one text of 8 MiB": () =>
    outputWith(reportWith({ notes: [`…${"x".repeat(MAX_INFLATED_BYTES - 4_000)}`] })),
  "8 MiB of NUL": () => outputWith(reportWith({ notes: ["\0".repeat((MAX_INFLATED_BYTES - 4_000) / 6)] })),
};

/** Nearly as large as a report may get, in bytes and in values, with a character that takes two bytes for each of all. */
export function largest(): Completed {
  const findings = Array.from({ length: 120 }, (_, at) => evidenced(at));
  return completed(findings, ["…"]);
}

/** A finding with as much evidence as is kept. */
function evidenced(at: number): Finding {
  const headers = Object.fromEntries(
    keys(40).map(([key, value]) => [`x-${key}`, `${value} ${"v".repeat(8)}`]),
  );
  const body = `${at}…`.padEnd(1_800, "body ");
  const exchange = {
    role: "attack" as const,
    request: { method: "GET", url: "https://shop.example/", headers },
    response: { status: 200, headers, body },
  };
  const exchanges = Array.from({ length: 8 }, () => exchange);
  return found("low firm", { id: `finding-${at}`, evidence: { rule: "r", exchanges, curl: "curl" } });
}
