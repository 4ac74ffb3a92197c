import { isDeepStrictEqual } from "node:util";
import { type ScanFailure, type ScanFailureCode } from "@glovebox/contract";
import {
  type Condition,
  type ConditionType,
  type Reason,
  type ScanResource,
  type ScanStatus,
  STEP_TYPES,
} from "@glovebox/k8s";
import type { Action } from "./plan.ts";
import { currentAttemptView, type RowState, type World } from "./world.ts";

export type ConditionUpdate = Pick<Condition, "type" | "status"> & {
  readonly reason: Reason;
  readonly message?: string;
};

const MAX_MESSAGE = 1024;

/** Reasons that are dropped unless an update sets them again. */
const PASSING: ReadonlySet<Reason> = new Set([
  "NoPodCreated",
  "PodNotStarted",
  "VolumeNotMounted",
  "RecordMissing",
]);

/** The action that patches the status; none if the Scan has it already. */
export function patchOf(
  world: World,
  changes: Partial<ScanStatus>,
  updates: readonly ConditionUpdate[] = [],
): Action[] {
  const status = statusOf(world, changes, updates);
  return isSame(world.scan.status ?? {}, status) ? [] : [{ do: "patchStatus", status }];
}

/** The same, even if nothing changes: the write fails if the observed Scan is stale. */
export const alwaysPatchOf = (...args: Parameters<typeof statusOf>): Action => ({
  do: "patchStatus",
  status: statusOf(...args),
});

function statusOf(
  world: World,
  changes: Partial<ScanStatus>,
  updates: readonly ConditionUpdate[],
): ScanStatus {
  const before = world.scan.status ?? {};
  const accepted: ConditionUpdate[] =
    world.row.state === "processing" ? [{ type: "Accepted", status: "True", reason: "Charged" }] : [];
  const { job, policy } = currentAttemptView(world);
  const isolationLost = world.row.state === "processing" && !policy?.isAsMade ? withoutIsolation(world) : [];
  const updated = [...accepted, ...isolationLost, ...updates].reduce(
    (all, update) => withCondition(all, update, world),
    // A Job that exists was not rejected, and has a canary.
    (before.conditions ?? []).filter(
      (condition) =>
        isStep(condition) && !(job && (isCreationRefused(condition) || condition.reason === "NoCanary")),
    ),
  );
  const isUpdated = ({ reason }: Condition): boolean => updates.some((update) => update.reason === reason);
  const steps = updated.filter((condition) => !PASSING.has(condition.reason) || isUpdated(condition));
  const decisive = decisiveOf(steps);
  const status = { ...before, ...changes };
  return {
    ...status,
    ...(decisive && { reason: decisive.reason, message: decisive.message }),
    // The id belongs to another Scan.
    ...(belongsToAnotherScan(world.row) ? {} : { scanId: world.scanId }),
    observedGeneration: world.scan.metadata.generation,
    conditions: [...steps, ...(decisive ? summaryOf(status.phase, decisive, world) : [])],
  };
}

/**
 * The condition that decides the current state: the first step that failed, else the last one that is Unknown, else the last one.
 */
function decisiveOf(conditions: readonly Condition[]): Condition | undefined {
  const steps = conditions.toSorted((a, b) => stepOf(a) - stepOf(b));
  return (
    steps.find(({ status }) => status === "False") ??
    steps.findLast(({ status }) => status === "Unknown") ??
    steps.at(-1)
  );
}

/** Summary conditions, for tools that do not know the steps. */
function summaryOf(phase: ScanStatus["phase"], { reason, message }: Condition, world: World): Condition[] {
  const types: Record<string, readonly ConditionType[]> = {
    Completed: ["Complete"],
    Failed: ["Failed", "Stalled"],
  };
  return (types[phase ?? ""] ?? ["Reconciling"]).map((type) =>
    conditionFrom({ type, status: "True", reason, message }, conditionOf(world, type), world),
  );
}

const stepOf = ({ type }: Condition): number => STEP_TYPES.findIndex((step) => step === type);

/** It is a step, not a summary. */
export const isStep = (condition: Condition): boolean => stepOf(condition) >= 0;

const belongsToAnotherScan = ({ state }: World["row"]): boolean =>
  state === "ofAnother" || state === "unbound";

/** Its row is missing: it neither starts nor ends before that is back, or given up. */
export const lacksRecord = ({ status }: ScanResource): boolean =>
  status?.reason === ("RecordMissing" satisfies Reason);

/** The scan has ended, and its status is final. */
export const isFinished = ({ status }: ScanResource): boolean => status?.finishedAt !== undefined;

/** The update for a scan that was isolated and has no policy now. */
export const withoutIsolation = (world: World, message?: string): ConditionUpdate[] =>
  conditionOf(world, "Sealed")?.status === "True"
    ? [{ type: "Sealed", status: "Unknown", reason: "AwaitingPolicy", ...(message && { message }) }]
    : [];

/** The condition shows that the API server rejected an object of the scan. */
export const isCreationRefused = ({ status, reason }: Condition): boolean =>
  status === "Unknown" && reason === "CouldNotStart";

export const conditionOf = ({ scan }: World, type: ConditionType): Condition | undefined =>
  scan.status?.conditions?.find((condition) => condition.type === type);

function withCondition(conditions: readonly Condition[], update: ConditionUpdate, world: World): Condition[] {
  const before = conditions.find(({ type }) => type === update.type);
  const after = conditionFrom(update, before, world);
  return before ? conditions.map((one) => (one === before ? after : one)) : [...conditions, after];
}

const conditionFrom = (
  { type, status, reason, message = "" }: ConditionUpdate,
  before: Condition | undefined,
  { now, scan }: World,
): Condition => ({
  type,
  status,
  reason,
  message: message.slice(0, MAX_MESSAGE),
  lastTransitionTime:
    before?.status === status && !isAnotherWait(before, reason)
      ? before.lastTransitionTime
      : now.toISOString(),
  observedGeneration: scan.metadata.generation,
});

/** A condition that is Unknown for another reason than before waits for something else, and each wait has its own limit. */
const isAnotherWait = (before: Condition, reason: Reason): boolean =>
  before.status === "Unknown" && before.reason !== reason;

/** Ignores the order of keys, which the API server does not keep, and fields that are undefined. */
const isSame = (a: unknown, b: unknown): boolean => isDeepStrictEqual(asJson(a), asJson(b));

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export interface Ending {
  readonly changes: Partial<ScanStatus>;
  readonly conditions: readonly ConditionUpdate[];
}

/** The status of a scan whose row has ended. */
export function endingOf(row: Extract<RowState, { state: "completed" | "failed" }>): Ending {
  if (row.state === "failed") return failedEnding(row.failure);
  const { score, grade, findings } = row;
  return {
    changes: { phase: "Completed", score, grade, findings },
    conditions: [
      { type: "Sealed", status: "True", reason: "PolicyInPlace" },
      { type: "IsolationProven", status: "True", reason: "CanaryBlocked" },
      { type: "ReportRecorded", status: "True", reason: "ReportReceived" },
    ],
  };
}

/** `reason` is the reason of the condition, unless it follows from the failure. */
export function failedEnding(
  failure: ScanFailure,
  reason: Reason = failure.reason ?? REPORT_REASONS[failure.code],
): Ending {
  const { code, message } = failure;
  return {
    changes: { phase: "Failed", failure: { code, message } },
    conditions: [...failedStep(failure), { type: "ReportRecorded", status: "False", reason, message }],
  };
}

/** The condition of the failed step, unless it is ReportRecorded. */
export function failedStep(failure: ScanFailure): ConditionUpdate[] {
  const { code, message, reason } = failure;
  const step = reason ? ({ type: "IsolationProven", reason } as const) : STEPS[code];
  return step ? [{ status: "False", message, ...step }] : [];
}

const STEPS: Partial<Record<ScanFailureCode, Pick<ConditionUpdate, "type" | "reason">>> = {
  name_not_resolved: { type: "TargetResolved", reason: "NotResolved" },
  egress_refused: { type: "TargetResolved", reason: "TargetRefused" },
  egress_widened: { type: "Sealed", reason: "ForeignPolicyWidensEgress" },
  seal_broken: { type: "Sealed", reason: "SealBroken" },
  isolation_not_proven: { type: "IsolationProven", reason: "CanaryReachable" },
};

const REPORT_REASONS: Record<ScanFailureCode, Reason> = {
  name_not_resolved: "NotResolved",
  connection_refused: "TargetFailed",
  target_timeout: "TargetFailed",
  tls_failure: "TargetFailed",
  target_errors: "TargetFailed",
  target_unavailable: "TargetFailed",
  target_blocked: "TargetFailed",
  identity_rejected: "TargetFailed",
  spec_unusable: "TargetFailed",
  wrong_base_path: "TargetFailed",
  nothing_tested: "TargetFailed",
  egress_refused: "TargetRefused",
  cancelled: "Cancelled",
  deadline_exceeded: "DeadlineExceeded",
  scanner_crashed: "ScannerFailed",
  target_crashed_scanner: "ScannerFailed",
  result_lost: "ResultLost",
  report_malformed: "ReportMalformed",
  isolation_not_proven: "CanaryReachable",
  egress_widened: "ForeignPolicyWidensEgress",
  seal_broken: "SealBroken",
  could_not_start: "CouldNotStart",
  service_restarted: "ScannerFailed",
};
