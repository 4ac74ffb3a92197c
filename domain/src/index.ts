export { DIFFERENCES, diffOf, type Difference } from "./diff.ts";
export {
  changesOf,
  findingsIndexOf,
  type FindingsChanges,
  type FindingsIndex,
  type IndexedFinding,
  type KnownFinding,
} from "./findings-index.ts";
export { CAPS, COVERAGE_LIMIT, GAPS, OPEN_ACCESS, PERIMETER } from "./limits.ts";
export { locationKey, passing, locationName, type Tested } from "./location.ts";
export {
  isExcluded,
  isIncluded,
  isSelected,
  matches,
  pathOf,
  scopeText,
  type FilterSubject,
  type OperationFilters,
} from "./operation-filter.ts";
export { isWorse, retesting, type Retest, type Retested } from "./retest.ts";
export { storableJson, storableText } from "./storable.ts";
export { withTimeout } from "./with-timeout.ts";
export { CONTEXT_MULTIPLIERS, WEIGHTS } from "./weights.ts";
export * from "./deductions.ts";
export * from "./scoring.ts";
export * from "./finding-statuses.ts";
export * from "./triage.ts";
export * from "./findings.ts";
export {
  callersIn,
  filteredGrid,
  findingsByInstance,
  violationsOf,
  type GridFilter,
} from "./caller-access.ts";
export { COVERED_DESPITE_GAP, decidedShare } from "./coverage.ts";
