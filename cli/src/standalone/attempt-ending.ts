import { scanFailure, type DeliveredOutcome } from "@glovebox/contract";
import type { RunEnding } from "../scanner/run-scanner.ts";

/** A scan whose scanner broke is tried again until this many attempts were made in all. */
export const MAX_ATTEMPTS = 3;

/** What becomes of a scan after an attempt at it. */
export type NextStep =
  | { readonly step: "record"; readonly outcome: DeliveredOutcome }
  | { readonly step: "retry" }
  /** Give the claim back: the service is stopping, and the scan is carried out after its next start. */
  | { readonly step: "release" }
  /** Nothing: the scan was cancelled or erased, or another worker holds it. */
  | { readonly step: "forget" };

/** Why an attempt was aborted: the service is stopping, or the scan is no longer this worker's. */
export type AbortReason = "stopping" | "gone";

export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly aborted: AbortReason | undefined;
}

/** Before an attempt: a scan that broke off too often, each time with the service, has failed. */
export const refusalBeforeAttempt = (attempt: number): DeliveredOutcome | undefined =>
  attempt > MAX_ATTEMPTS ? failed("service_restarted") : undefined;

/** After an attempt. What the scanner delivered counts, even when the service was about to stop. */
export function nextStep(ending: RunEnding, { attempt, aborted }: Attempt): NextStep {
  if (aborted === "gone") return { step: "forget" };
  switch (ending.how) {
    case "delivered":
      return { step: "record", outcome: ending.outcome };
    case "malformed":
      return { step: "record", outcome: failed("report_malformed", ending.detail) };
    case "overran":
      return { step: "record", outcome: failed("deadline_exceeded") };
    case "aborted":
      return { step: "release" };
    case "crashed":
    case "lost":
      return afterBreakage(ending.how, { attempt, aborted });
  }
}

function afterBreakage(how: "crashed" | "lost", { attempt, aborted }: Attempt): NextStep {
  if (aborted === "stopping") return { step: "release" };
  if (attempt < MAX_ATTEMPTS) return { step: "retry" };
  return { step: "record", outcome: failed(how === "crashed" ? "scanner_crashed" : "result_lost") };
}

const failed = (...why: Parameters<typeof scanFailure>): DeliveredOutcome => ({
  status: "failed",
  failure: scanFailure(...why),
});
