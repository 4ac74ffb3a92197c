import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import type { Frame, Outcome } from "./frames.ts";

/** All the frames of one outcome may take this much on stdout, in bytes: well under a log's rotation size. */
export const MAX_OUTCOME_BYTES = 1024 * 1024;
const PIECE_BYTES = 48 * 1024; // 64 KiB in base64: under the line limits of container runtimes' log readers

/** The frames that deliver an outcome, ready to be printed one a line. */
export function outcomeFrames(outcome: Outcome): Frame[] {
  const packed = gzipSync(JSON.stringify(outcome));
  const of = Math.max(1, Math.ceil(packed.length / PIECE_BYTES));
  const pieces = Array.from({ length: of }, (_, seq): Frame => {
    const data = packed.subarray(seq * PIECE_BYTES, (seq + 1) * PIECE_BYTES).toString("base64");
    return { frame: "report", seq, of, data };
  });
  return [
    ...pieces,
    {
      frame: "ending",
      status: outcome.status,
      size: packed.length,
      sha256: sha256(packed),
      findings: findingsOf(outcome),
    },
  ];
}

/** Bytes that the frames of an outcome take on stdout. */
export const framedSize = (frames: readonly Frame[]): number =>
  frames.reduce((bytes, frame) => bytes + Buffer.byteLength(JSON.stringify(frame)) + 1, 0);

export const findingsOf = (outcome: Outcome): number =>
  outcome.status === "completed" ? outcome.report.findings.length : 0;

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
