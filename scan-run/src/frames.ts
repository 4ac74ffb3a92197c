import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import {
  CATEGORY_KEYS,
  type Category,
  notedWriteSchema,
  scanFailureSchema,
  reportSchema,
  type Progress,
} from "@glovebox/contract";

/*
 * The output of a scanner: JSON lines on stdout. Progress, and the writes of an active scan, while it runs; then the report or failure as gzip + base64 in
 * numbered pieces; last the ending, with the size and the digest of all pieces. If they do not match, the result is lost, and
 * the reader must report that.
 */

/** Limit of all frames of one outcome on stdout, in bytes: well below the size at which logs are rotated. */
export const MAX_OUTCOME_BYTES = 1024 * 1024;
/** Limit of the decompressed outcome, in bytes: a reader refuses more. */
export const MAX_INFLATED_BYTES = 8 * 1024 * 1024;
/**
 * Limits of the values in the JSON of an outcome and of their nesting: a reader refuses more. A parsed value takes up to a
 * hundred times the two bytes that it has as text. The headers of an exchange are nested eleven deep; the report with the most
 * values, findings whose evidence has many small headers, reaches `MAX_INFLATED_BYTES` first.
 */
export const MAX_VALUES = 200_000;
export const MAX_DEPTH = 16;
/**
 * In base64, with the rest of the frame, less than 8 KiB, which every container runtime logs as one line: CRI-O splits lines at
 * 8 KiB, containerd at 16 KiB, and other output may come between the parts.
 */
const PIECE_BYTES = 6000;
/** Bytes of the longest line that a scanner prints, without its end. */
export const MAX_LINE_BYTES = 8 * 1024;
/**
 * Limit of the lines of a log that are read. A scanner prints fewer than 300: progress in tenths for each category, the pieces
 * of the report, one error for each check. An active one also prints a few for each of its writes, of which there are 500 at most. The
 * rest is for messages of the runtime.
 */
export const MAX_LOG_LINES = 16 * 1024;
/** Limit of the bytes of a log that are read: an outcome, and a margin for all other output. */
export const MAX_LOG_BYTES = 4 * MAX_OUTCOME_BYTES;

/** Far above real numbers, and small enough that the sum over all categories fits into the database column. */
const tasks = z.int().min(0).max(10_000_000);
const progressFrame = z.object({
  frame: z.literal("progress"),
  category: z.enum(CATEGORY_KEYS),
  done: tasks,
  planned: tasks,
});
const pieceFrame = z.object({
  frame: z.literal("report"),
  seq: z.int().min(0),
  of: z.int().min(1),
  sha256: z.string().optional().meta({
    description: "Of the compressed outcome that it is a piece of; absent from older scanners",
  }),
  data: z.base64(),
});
const endingFrame = z.object({
  frame: z.literal("ending"),
  status: z.enum(["completed", "failed"]),
  size: z.int().min(0).meta({ description: "Bytes of the compressed outcome" }),
  sha256: z.string().meta({ description: "Of the compressed outcome" }),
  findings: z.int().min(0),
});
/** A line of the plan that an order asked for; the `end` comes last. No outcome follows. */
const planFrame = z.discriminatedUnion("kind", [
  z.object({
    frame: z.literal("plan"),
    kind: z.literal("operation"),
    method: z.string(),
    path: z.string(),
    called: z.enum(["as described", "so that it fails", "never"]),
  }),
  z.object({
    frame: z.literal("plan"),
    kind: z.literal("check"),
    check: z.string(),
    title: z.string(),
    category: z.enum(CATEGORY_KEYS),
    subjects: tasks,
  }),
  z.object({ frame: z.literal("plan"), kind: z.literal("note"), note: z.string() }),
  z.object({
    frame: z.literal("plan"),
    kind: z.literal("end"),
    requests: tasks.meta({ description: "Sent to make the plan" }),
    document: z.boolean().meta({ description: "Whether there is a document to plan by" }),
  }),
]);
/** A write of an active scan, before it is sent and at each change. */
const writeFrame = z.object({ frame: z.literal("write"), write: notedWriteSchema });
export const frameSchema = z.discriminatedUnion("frame", [
  progressFrame,
  writeFrame,
  pieceFrame,
  endingFrame,
  planFrame,
]);
export type Frame = z.infer<typeof frameSchema>;
export type PieceFrame = z.infer<typeof pieceFrame>;
export type EndingFrame = z.infer<typeof endingFrame>;
export type PlanFrame = z.infer<typeof planFrame>;
export type WriteFrame = z.infer<typeof writeFrame>;
export type ProgressFrame = z.infer<typeof progressFrame>;

/** How a scan ended: with a report, or with a failure. */
export const outcomeSchema = z.discriminatedUnion("status", [
  z.object({ status: z.literal("completed"), report: reportSchema }),
  z.object({ status: z.literal("failed"), failure: scanFailureSchema }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** The frame in a line; undefined for other lines. */
export function frameOf(line: string): Frame | undefined {
  try {
    return frameSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** The frames that deliver an outcome, ready to be printed one a line. */
export function outcomeFrames(outcome: Outcome): Frame[] {
  const packed = gzipSync(JSON.stringify(outcome));
  const digest = sha256(packed);
  const of = Math.max(1, Math.ceil(packed.length / PIECE_BYTES));
  const pieces = Array.from({ length: of }, (_, seq): Frame => {
    const data = packed.subarray(seq * PIECE_BYTES, (seq + 1) * PIECE_BYTES).toString("base64");
    return { frame: "report", seq, of, sha256: digest, data };
  });
  return [
    ...pieces,
    {
      frame: "ending",
      status: outcome.status,
      size: packed.length,
      sha256: digest,
      findings: findingsOf(outcome),
    },
  ];
}

/** Bytes that the frames of an outcome take on stdout. */
export const framedSize = (frames: readonly Frame[]): number =>
  frames.reduce((bytes, frame) => bytes + Buffer.byteLength(JSON.stringify(frame)) + 1, 0);

/** Limit of a termination message in Kubernetes, in bytes. */
const MAX_TERMINATION_MESSAGE = 4096;

/**
 * The termination message of a scanner, one frame per line: the ending, and the whole outcome if it fits. A small outcome thus
 * arrives with the status of the pod, and its log is not read.
 */
export function terminationMessage(frames: readonly Frame[]): string {
  const [ending, whole] = [frames.slice(-1), [...frames.slice(-1), ...frames.slice(0, -1)]];
  const fits = framedSize(whole) <= MAX_TERMINATION_MESSAGE;
  return (fits ? whole : ending).map((frame) => JSON.stringify(frame)).join("\n");
}

export const findingsOf = (outcome: Outcome): number =>
  outcome.status === "completed" ? outcome.report.findings.length : 0;

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Sums up the progress of the categories. */
export class ProgressTally {
  readonly #latest = new Map<Category, Progress>();

  /** Takes a category's latest state; returns the scan's. */
  add({ category, done, planned }: ProgressFrame): Progress {
    this.#latest.set(category, { done, planned });
    return this.total();
  }

  total(): Progress {
    const total = { done: 0, planned: 0 };
    for (const { done, planned } of this.#latest.values()) {
      total.done += done;
      total.planned += planned;
    }
    return total;
  }
}
