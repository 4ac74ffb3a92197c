import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import * as z from "zod";
import { CATEGORY_KEYS, type Category } from "./categories.ts";
import { scanFailureSchema } from "./failure.ts";
import { reportSchema } from "./report.ts";
import type { Progress } from "./scan.ts";

/*
 * The scanner's whole output: JSON lines on stdout. Progress while it
 * works; then the report or failure as gzip + base64 in numbered pieces; last the ending, which describes what the pieces
 * must add up to. A reader that cannot make them add up has lost the result and must say so.
 */

/** All the frames of one outcome may take this much on stdout, in bytes: well under a log's rotation size. */
export const MAX_OUTCOME_BYTES = 1024 * 1024;
/** What the outcome may inflate to, in bytes: a reader refuses more. */
export const MAX_INFLATED_BYTES = 8 * 1024 * 1024;
/**
 * Values in the JSON of an outcome, and how deep they nest: a reader refuses more. A parsed value takes up to a hundred
 * times the two bytes that it has as text. The headers of an exchange are nested eleven deep; what is largest, findings whose
 * evidence is many small headers, has about as many values as fit into `MAX_INFLATED_BYTES`.
 */
export const MAX_VALUES = 200_000;
export const MAX_DEPTH = 16;
/**
 * In base64 and with all around it less than 8 KiB, which every container runtime logs as one line: CRI-O cuts longer
 * ones at 8 KiB, containerd at 16, and what else is logged meanwhile may come between the parts.
 */
const PIECE_BYTES = 6000;
/** Bytes of the longest line that a scanner prints, without its end. */
export const MAX_LINE_BYTES = 8 * 1024;
/**
 * Maximum lines of a log that are read. A scanner prints less than 300: its progress in tenths for each category, the pieces
 * of the report, one complaint for each check. The rest is for what a runtime may say.
 */
export const MAX_LOG_LINES = 16 * 1024;
/** Bytes of a log that are read: an outcome, and much more than all else that a scanner prints. */
export const MAX_LOG_BYTES = 4 * MAX_OUTCOME_BYTES;

/** Far more than there are, and so few that their sum over all categories fits into the database. */
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
    description: "Of the compressed outcome that it is a piece of; none in those of older scanners",
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
export const frameSchema = z.discriminatedUnion("frame", [progressFrame, pieceFrame, endingFrame]);
export type Frame = z.infer<typeof frameSchema>;
export type PieceFrame = z.infer<typeof pieceFrame>;
export type EndingFrame = z.infer<typeof endingFrame>;
export type ProgressFrame = z.infer<typeof progressFrame>;

/** How a scan ended: with a report, or with the reason why there is none. */
export const outcomeSchema = z.discriminatedUnion("status", [
  z.object({ status: z.literal("completed"), report: reportSchema }),
  z.object({ status: z.literal("failed"), failure: scanFailureSchema }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** The frame that a line holds, or none. */
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

/** What Kubernetes keeps of a termination message, in bytes. */
const MAX_TERMINATION_MESSAGE = 4096;

/**
 * What a scanner leaves beside its log, one frame a line: the ending, which cannot be forged there, and the whole outcome if
 * it fits. A small outcome so arrives with the pod's status, and needs no log.
 */
export function terminationMessage(frames: readonly Frame[]): string {
  const [ending, whole] = [frames.slice(-1), [...frames.slice(-1), ...frames.slice(0, -1)]];
  const fits = framedSize(whole) <= MAX_TERMINATION_MESSAGE;
  return (fits ? whole : ending).map((frame) => JSON.stringify(frame)).join("\n");
}

export const findingsOf = (outcome: Outcome): number =>
  outcome.status === "completed" ? outcome.report.findings.length : 0;

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Adds the progress of single categories up to that of the scan. */
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
