import { isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { CATEGORY_KEYS } from "./categories.ts";
import { scanFailureSchema } from "./failure.ts";
import { isBounded } from "./json-bounds.ts";
import { MAX_INFLATED_BYTES, MAX_OUTCOME_BYTES, findingsOf, sha256 } from "./outcome-frames.ts";
import { reportSchema } from "./report.ts";

/**
 * The scanner's whole output: JSON lines on stdout (architecture.md, "Bringing the report out"). Progress while it
 * works; then the report or failure as gzip + base64 in numbered pieces; last the ending, which describes what the pieces
 * must add up to. A reader that cannot make them add up has lost the result and must say so.
 */
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
type PieceFrame = z.infer<typeof pieceFrame>;
export type ProgressFrame = z.infer<typeof progressFrame>;

/** How a scan ended: with a report, or with the reason why there is none. */
export const outcomeSchema = z.discriminatedUnion("status", [
  z.object({ status: z.literal("completed"), report: reportSchema }),
  z.object({ status: z.literal("failed"), failure: scanFailureSchema }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** What came of reading what a scanner printed. */
export type Reading<T = Outcome> =
  | { readonly is: "whole"; readonly outcome: T }
  /** No ending: the scanner broke off. */
  | { readonly is: "unfinished" }
  /** The pieces do not add up to the digest: some may have been lost on their way. */
  | { readonly is: "cut" }
  /** It arrived as it was sent, and is nothing that our scanner sends: to read it again changes nothing. */
  | { readonly is: "malformed"; readonly detail: string };

/** The frame that a line holds, or none. */
export function frameOf(line: string): Frame | undefined {
  try {
    return frameSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/** Pieces that are kept until the ending identifies those that count: the outcome's, and as many others. */
const MAX_KEPT_BYTES = 2 * MAX_OUTCOME_BYTES;

/** Collects the lines of one scanner and decodes them at the end. Blocks its thread while it decodes. */
export class FrameReader {
  readonly #pieces: { readonly sha256: string | undefined; readonly seq: number; readonly bytes: Buffer }[] =
    [];
  #kept = 0;
  #ending: z.infer<typeof endingFrame> | undefined;

  /** Takes one line of stdout. Other lines are ignored: the digest detects missing ones. */
  line(text: string): void {
    const frame = frameOf(text);
    if (frame?.frame === "ending") this.#ending ??= frame;
    else if (frame?.frame === "report") this.#keep(frame);
  }

  // Unlimited output must not fill the reader's memory.
  #keep({ sha256, seq, data }: PieceFrame): void {
    const bytes = Buffer.from(data, "base64");
    if (this.#ending && sha256 !== undefined && this.#ending.sha256 !== sha256) return;
    if (this.#kept + bytes.length > MAX_KEPT_BYTES) return;
    this.#kept += bytes.length;
    this.#pieces.push({ sha256, seq, bytes });
  }

  /**
   * The outcome in the pieces that name this digest, each number once: forged pieces name another digest, or none. A
   * scanner that was started before an upgrade names none either, and the digest still detects missing pieces.
   */
  #packed(digest: string): Buffer {
    const named = this.#pieces.filter(({ sha256 }) => sha256 === digest);
    const own = named.length > 0 ? named : this.#pieces.filter(({ sha256 }) => sha256 === undefined);
    const inOrder = own.toSorted((a, b) => a.seq - b.seq);
    return Buffer.concat(
      inOrder.filter(({ seq }, at) => seq !== inOrder[at - 1]?.seq).map(({ bytes }) => bytes),
    );
  }

  reading(): Reading {
    if (!this.#ending) return { is: "unfinished" };
    const { size, sha256: digest, status, findings } = this.#ending;
    if (size > MAX_OUTCOME_BYTES) return malformed("It is larger than any that a scanner sends.");
    const packed = this.#packed(digest);
    if (packed.length !== size || sha256(packed) !== digest) return { is: "cut" };
    const reading = unpacked(packed);
    if (reading.is !== "whole") return reading;
    const { outcome } = reading;
    const isAnnounced = outcome.status === status && findingsOf(outcome) === findings;
    return isAnnounced ? reading : malformed("It is not the one that was announced.");
  }
}

function unpacked(packed: Uint8Array): Reading {
  const json = inflated(packed);
  if (!json) return malformed("It is no gzip, or inflates too far.");
  // Each byte that is none would become three.
  if (!isUtf8(json)) return malformed("It is no UTF-8.");
  if (!isBounded(json)) return malformed("It has too many values, or nests too deep.");
  const parsed = outcomeSchema.safeParse(parseJson(json));
  return parsed.success ? { is: "whole", outcome: parsed.data } : malformed("It is no report.");
}

function inflated(packed: Uint8Array): Buffer | undefined {
  try {
    return gunzipSync(packed, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch {
    return undefined;
  }
}

export const malformed = (detail: string): Extract<Reading, { is: "malformed" }> => ({
  is: "malformed",
  detail,
});

function parseJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}
