import type { ScanFailure, IsolationProof, Report } from "@glovebox/contract";
import { findingsIndexOf, type FindingsIndex, storableJson } from "@glovebox/domain";
import type { Outcome } from "./frames.ts";
import { packed } from "./packed-report.ts";

/** A complete report: the fields that decisions need, and the report itself, compressed. */
export interface DeliveredReport extends Pick<Report, "score" | "grade"> {
  /** How many. */
  readonly findings: number;
  readonly isolation?: IsolationProof;
  /** What is to be known of the findings over time; small beside the report. */
  readonly index: FindingsIndex;
  /** The `Report`, packed (packed-report.ts), as it is stored and sent. */
  readonly body: Uint8Array;
}

export type DeliveredOutcome =
  | { readonly status: "completed"; readonly report: DeliveredReport }
  | { readonly status: "failed"; readonly failure: ScanFailure };

/** Takes time in proportion to the size of the report: not for a thread that serves requests. */
export function delivered(outcome: Outcome): DeliveredOutcome {
  if (outcome.status === "failed") return outcome;
  const { score, grade, findings, isolation } = outcome.report;
  return {
    status: "completed",
    report: {
      score,
      grade,
      findings: findings.length,
      ...(isolation && { isolation }),
      index: findingsIndexOf(outcome.report),
      body: packed(storableJson(outcome.report)),
    },
  };
}
