import { isolationCauseOf, type ScanFailure, type ScanFailureCode } from "@glovebox/contract";
import type { Reason, ScanStatus } from "@glovebox/k8s";
import type { ConditionUpdate } from "./status.ts";
import type { Row } from "./world.ts";

export interface Ending {
  readonly changes: Partial<ScanStatus>;
  readonly conditions: readonly ConditionUpdate[];
}

/** What the status says of a scan whose row has ended. */
export function endingOf(row: Extract<Row, { state: "completed" | "failed" }>): Ending {
  if (row.state === "failed") return failedEnding(row.failure);
  const { score, grade, findings } = row;
  return {
    changes: { phase: "Completed", score, grade, findings },
    conditions: [
      { type: "IsolationProven", status: "True", reason: "CanaryBlocked" },
      { type: "ReportRecorded", status: "True", reason: "ReportReceived" },
    ],
  };
}

export function failedEnding(failure: ScanFailure): Ending {
  const { code, message } = failure;
  return {
    changes: { phase: "Failed", failure: { code, message } },
    conditions: [
      ...failedStep(failure),
      {
        type: "ReportRecorded",
        status: "False",
        reason: isolationCauseOf(failure) ?? REPORT_REASONS[code],
        message,
      },
    ],
  };
}

/** What is said of the step that the failure happened at, where it is one of its own. */
export function failedStep(failure: ScanFailure): ConditionUpdate[] {
  const { code, message } = failure;
  const cause = isolationCauseOf(failure);
  const step = cause ? ({ type: "IsolationProven", reason: cause } as const) : STEPS[code];
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
  egress_refused: "TargetRefused",
  cancelled: "Cancelled",
  deadline_exceeded: "DeadlineExceeded",
  scanner_crashed: "ScannerFailed",
  result_lost: "ResultLost",
  report_malformed: "ReportMalformed",
  isolation_not_proven: "CanaryReachable",
  egress_widened: "ForeignPolicyWidensEgress",
  seal_broken: "SealBroken",
  could_not_start: "CouldNotStart",
  service_restarted: "ScannerFailed",
};
