import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { CATEGORY_KEYS } from "./categories.ts";
import { scanFailure, scanFailureSchema } from "./failure.ts";
import { MAX_OUTCOME_BYTES, findingsOf, sha256 } from "./outcome-frames.ts";
import { reportSchema } from "./report.ts";

/**
 * The scanner's whole output: JSON lines on stdout (architecture.md, "Bringing the report out"). Progress while it
 * works; then the report or failure as gzip + base64 in numbered pieces; last the ending, which says what the pieces
 * must add up to. A reader that cannot make them add up has lost the result and must say so.
 */
const progressFrame = z.object({
  frame: z.literal("progress"),
  category: z.enum(CATEGORY_KEYS),
  done: z.int().min(0),
  planned: z.int().min(0),
});
const pieceFrame = z.object({
  frame: z.literal("report"),
  seq: z.int().min(0),
  of: z.int().min(1),
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
export type ProgressFrame = z.infer<typeof progressFrame>;

/** How a scan ended: with a report, or with the reason why there is none. */
export const outcomeSchema = z.discriminatedUnion("status", [
  z.object({ status: z.literal("completed"), report: reportSchema }),
  z.object({ status: z.literal("failed"), failure: scanFailureSchema }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** An outcome that inflates beyond this is refused: a report is a few MiB at most. */
const MAX_INFLATED_BYTES = 64 * 1024 * 1024;

/** Collects the lines of one scanner, and at the end says what they came to. */
export class FrameReader {
  readonly #pieces = new Map<number, Buffer>();
  readonly #onProgress: (frame: ProgressFrame) => void;
  #kept = 0;
  #ending: z.infer<typeof endingFrame> | undefined;

  constructor(onProgress: (frame: ProgressFrame) => void = () => {}) {
    this.#onProgress = onProgress;
  }

  /** Takes one line of stdout. A line that is no frame is passed over: the digest tells whether anything is missing. */
  line(text: string): void {
    const parsed = frameSchema.safeParse(parseJson(text));
    if (!parsed.success) return;
    const frame = parsed.data;
    if (frame.frame === "progress") this.#onProgress(frame);
    else if (frame.frame === "ending") this.#ending ??= frame;
    else this.#keep(frame.seq, Buffer.from(frame.data, "base64"));
  }

  // What does not fit can belong to no outcome, so a scanner gone wild does not fill the reader's memory.
  #keep(seq: number, piece: Buffer): void {
    if (this.#pieces.has(seq) || this.#kept + piece.length > MAX_OUTCOME_BYTES) return;
    this.#kept += piece.length;
    this.#pieces.set(seq, piece);
  }

  /** The outcome, when every piece arrived whole; else the failure `result_lost`, or `scanner_crashed` without an ending. */
  outcome(): Outcome {
    if (!this.#ending) return failed("scanner_crashed");
    const packed = Buffer.concat([...this.#pieces].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes));
    if (packed.length !== this.#ending.size || sha256(packed) !== this.#ending.sha256)
      return failed("result_lost");
    const parsed = outcomeSchema.safeParse(parseJson(inflated(packed)));
    const agrees = parsed.success && isAnnounced(parsed.data, this.#ending);
    return agrees ? parsed.data : failed("result_lost");
  }
}

const isAnnounced = (outcome: Outcome, ending: z.infer<typeof endingFrame>): boolean =>
  outcome.status === ending.status && findingsOf(outcome) === ending.findings;

/** The text inside, or none where the bytes are no gzip or inflate beyond measure. */
function inflated(packed: Uint8Array): string {
  try {
    return gunzipSync(packed, { maxOutputLength: MAX_INFLATED_BYTES }).toString();
  } catch {
    return "";
  }
}

const failed = (code: "scanner_crashed" | "result_lost"): Outcome => ({
  status: "failed",
  failure: scanFailure(code),
});
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
