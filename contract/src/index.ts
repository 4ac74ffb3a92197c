export * from "./categories.ts";
export * from "./scan.ts";
export * from "./coverage.ts";
export { delivered, reportJson, type DeliveredOutcome, type DeliveredReport } from "./delivered.ts";
export { DIFFERENCES, diffOf, type Difference } from "./diff.ts";
export * from "./errors.ts";
export * from "./failure.ts";
export * from "./finding.ts";
export {
  changesOf,
  findingsIndexOf,
  type FindingsChanges,
  type FindingsIndex,
  type KnownFinding,
} from "./findings-index.ts";
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
} from "./frames.ts";
export { PACKAGE_NAME, VERSION } from "./product.ts";
export { CAPS, COVERAGE_LIMIT, GAPS, OPEN_ACCESS, PERIMETER } from "./limits.ts";
export { OutcomeReader, type ScannerOutput } from "./outcome-reader.ts";
export * from "./accounts.ts";
export * from "./report.ts";
export { isWorse, passing, retesting, type Retest, type Retested, type Tested } from "./retest.ts";
export * from "./scan-order.ts";
export * from "./deductions.ts";
export * from "./scoring.ts";
export { storableJson, storableText } from "./storable.ts";
export * from "./target-url.ts";
export * from "./text-input.ts";
export { hashSecret, isToken, newToken } from "./tokens.ts";
export * from "./triage.ts";
export { withTimeout } from "./with-timeout.ts";
export * from "./webhooks.ts";
export { CONTEXT_MULTIPLIERS, WEIGHTS } from "./weights.ts";
