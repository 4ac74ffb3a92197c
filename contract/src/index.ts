export * from "./api-key.ts";
export * from "./categories.ts";
export * from "./context.ts";
export * from "./coverage.ts";
export { delivered, reportJson, type DeliveredOutcome, type DeliveredReport } from "./delivered.ts";
export * from "./errors.ts";
export * from "./failure.ts";
export * from "./finding.ts";
export * from "./finding-order.ts";
export { FrameLines } from "./frame-lines.ts";
export { frameOf, type Frame, type Outcome, type ProgressFrame, type Reading } from "./frames.ts";
export {
  MAX_INFLATED_BYTES,
  MAX_LOG_BYTES,
  MAX_OUTCOME_BYTES,
  MAX_VALUES,
  framedSize,
  outcomeFrames,
  terminationMessage,
} from "./outcome-frames.ts";
export { CAPS, COVERAGE_LIMIT, PERIMETER } from "./limits.ts";
export { OutcomeReader, type ScannerOutput } from "./outcome-reader.ts";
export * from "./plans.ts";
export { ProgressTally } from "./progress-tally.ts";
export * from "./report.ts";
export * from "./scan.ts";
export * from "./scan-id.ts";
export * from "./scan-order.ts";
export * from "./scoring.ts";
export * from "./severity.ts";
export { storableText } from "./storable.ts";
export * from "./target-url.ts";
export { withTimeout } from "./with-timeout.ts";
