import { isUtf8 } from "node:buffer";
import { gunzipSync } from "node:zlib";
import {
  MAX_DEPTH,
  MAX_INFLATED_BYTES,
  MAX_OUTCOME_BYTES,
  MAX_VALUES,
  findingsOf,
  frameOf,
  outcomeSchema,
  sha256,
  type EndingFrame,
  type Outcome,
  type PieceFrame,
} from "./frames.ts";

/** The result of decoding the output of a scanner. */
export type Reading<T = Outcome> =
  | { readonly is: "whole"; readonly outcome: T }
  /** Without an ending frame: the scanner exited early. */
  | { readonly is: "unfinished" }
  /** The pieces do not match the digest: some may have been lost in transit. */
  | { readonly is: "cut" }
  /** It matches its digest and is not a valid report: reading it again gives the same result. */
  | { readonly is: "malformed"; readonly detail: string };

/** Limit of the pieces that are kept until the ending names the digest: the pieces of the outcome, and the same number of others. */
const MAX_KEPT_BYTES = 2 * MAX_OUTCOME_BYTES;

/** Collects the lines of one scanner and decodes them at the end. Blocks its thread while it decodes. */
export class FrameReader {
  readonly #pieces: { readonly sha256: string | undefined; readonly seq: number; readonly bytes: Buffer }[] =
    [];
  #kept = 0;
  #ending: EndingFrame | undefined;

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
    if (size > MAX_OUTCOME_BYTES) return malformedReading("It exceeds the size limit.");
    const packed = this.#packed(digest);
    if (packed.length !== size || sha256(packed) !== digest) return { is: "cut" };
    const reading = unpacked(packed);
    if (reading.is !== "whole") return reading;
    const { outcome } = reading;
    const isAnnounced = outcome.status === status && findingsOf(outcome) === findings;
    return isAnnounced
      ? reading
      : malformedReading("Its status or number of findings differs from the announced one.");
  }
}

function unpacked(packed: Uint8Array): Reading {
  const json = inflated(packed);
  if (!json) return malformedReading("It is not valid gzip, or exceeds the size limit when decompressed.");
  // Each invalid byte would become three.
  if (!isUtf8(json)) return malformedReading("It is not valid UTF-8.");
  if (!isBounded(json))
    return malformedReading("It has too many JSON values, or they are nested too deeply.");
  const parsed = outcomeSchema.safeParse(parsedJson(json));
  return parsed.success
    ? { is: "whole", outcome: parsed.data }
    : malformedReading("It does not match the schema of a report.");
}

function inflated(packed: Uint8Array): Buffer | undefined {
  try {
    return gunzipSync(packed, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch {
    return undefined;
  }
}

export const malformedReading = (detail: string): Extract<Reading, { is: "malformed" }> => ({
  is: "malformed",
  detail,
});

function parsedJson(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether a text that may be JSON has no more values than an outcome, and nests no deeper. Costs no memory, unlike parsing:
 * 8 MiB of `{},{},…` become more than 200.
 */
function isBounded(json: Uint8Array): boolean {
  let [values, depth] = [0, 0];
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case COMMA:
        values++;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        values++;
        depth++;
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--;
        break;
    }
    if (values > MAX_VALUES || depth > MAX_DEPTH) return false;
  }
  return true;
}

/** Where the quote is that ends the string that begins at `start`. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
