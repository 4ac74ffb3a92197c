import { gunzipSync } from "node:zlib";
import * as z from "zod";
import { CATEGORY_KEYS } from "./categories.ts";
import { scanFailure, scanFailureSchema } from "./failure.ts";
import { MAX_INFLATED_BYTES, MAX_OUTCOME_BYTES, findingsOf, sha256 } from "./outcome-frames.ts";
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

/** Pieces that are kept until the ending tells which of them count: the outcome's, and as much again of others. */
const MAX_KEPT_BYTES = 2 * MAX_OUTCOME_BYTES;

/** Collects the lines of one scanner, and at the end says what they came to. */
export class FrameReader {
  readonly #pieces: { readonly sha256: string | undefined; readonly seq: number; readonly bytes: Buffer }[] =
    [];
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
    else this.#keep(frame);
  }

  /** Whether the ending has come: no later one counts. */
  get hasEnding(): boolean {
    return this.#ending !== undefined;
  }

  // A scanner gone wild does not fill the reader's memory.
  #keep({ sha256, seq, data }: PieceFrame): void {
    const bytes = Buffer.from(data, "base64");
    if (this.#ending && sha256 !== undefined && this.#ending.sha256 !== sha256) return;
    if (this.#kept + bytes.length > MAX_KEPT_BYTES) return;
    this.#kept += bytes.length;
    this.#pieces.push({ sha256, seq, bytes });
  }

  /**
   * What the pieces that name this digest come to, each number once: what somebody forged names another, or none. A
   * scanner that was started before an upgrade names none either, and the digest still tells whether all is there.
   */
  #packed(digest: string): Buffer {
    const named = this.#pieces.filter(({ sha256 }) => sha256 === digest);
    const own = named.length > 0 ? named : this.#pieces.filter(({ sha256 }) => sha256 === undefined);
    const inOrder = own.toSorted((a, b) => a.seq - b.seq);
    return Buffer.concat(
      inOrder.filter(({ seq }, at) => seq !== inOrder[at - 1]?.seq).map(({ bytes }) => bytes),
    );
  }

  /** The outcome, when every piece arrived whole; else the failure `result_lost`, or `scanner_crashed` without an ending. */
  outcome(): Outcome {
    if (!this.#ending) return failed("scanner_crashed");
    const packed = this.#packed(this.#ending.sha256);
    const { size } = this.#ending;
    if (size > MAX_OUTCOME_BYTES || packed.length !== size || sha256(packed) !== this.#ending.sha256)
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
