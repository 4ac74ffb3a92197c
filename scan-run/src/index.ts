export {
  MAX_ATTEMPTS,
  failedOutcome,
  failureOf,
  isRetried,
  type AttemptEnd,
  type FailedAttempt,
} from "./attempts.ts";
export { delivered, type DeliveredOutcome, type DeliveredReport } from "./delivered.ts";
export { FrameLines } from "./frame-lines.ts";
export type { Reading } from "./frame-reader.ts";
export {
  MAX_INFLATED_BYTES,
  MAX_LOG_BYTES,
  MAX_OUTCOME_BYTES,
  MAX_VALUES,
  ProgressTally,
  frameOf,
  framedSize,
  outcomeFrames,
  terminationMessage,
  type Frame,
  type Outcome,
  type PlanFrame,
  type ProgressFrame,
  type WriteFrame,
} from "./frames.ts";
export { OutcomeReader, type ScannerOutput } from "./outcome-reader.ts";
export { Reservations, admit, type Candidate, type QueuedScan, type SlotLimits } from "./fairness.ts";
export { bounded } from "./resumption.ts";
export { scanOrder, specOf } from "./order.ts";
export { joined, joinedJson, packed, packedOutside, unpacked, unpackedSize } from "./packed-report.ts";
