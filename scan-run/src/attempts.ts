import { scanFailure, type ScanFailure, type ScanFailureCode } from "@glovebox/contract";
import type { DeliveredOutcome } from "./delivered.ts";

/** Attempts of a scan, the first included. */
export const MAX_ATTEMPTS = 3;

/**
 * How an attempt ends without an outcome. `exhausted`: what the target sent crashed the scanner; `crashed`: it exited without a
 * report for another reason; `lost`: its report is incomplete, or was deleted; `malformed`: its report is not valid; `overran`: it was
 * stopped at its deadline; `isolationLost`: its network policy was removed or changed meanwhile.
 */
const ENDS = {
  crashed: { code: "scanner_crashed", isRetried: true },
  exhausted: { code: "target_crashed_scanner", isRetried: true },
  lost: { code: "result_lost", isRetried: true },
  isolationLost: { code: "seal_broken", isRetried: true },
  // Another attempt would deliver the same, or be as slow.
  malformed: { code: "report_malformed", isRetried: false },
  overran: { code: "deadline_exceeded", isRetried: false },
} as const satisfies Record<string, { code: ScanFailureCode; isRetried: boolean }>;
export type AttemptEnd = keyof typeof ENDS;

export interface FailedAttempt {
  readonly how: AttemptEnd;
  readonly detail?: string | undefined;
}

/** The failure of a scan whose last attempt ended so. */
export const failureOf = ({ how, detail }: FailedAttempt): ScanFailure => scanFailure(ENDS[how].code, detail);

/** Whether another attempt follows one that ended so. `spent` counts the attempts until now, this one included. Pure. */
export const isRetried = ({ how }: FailedAttempt, spent: number, maxAttempts = MAX_ATTEMPTS): boolean =>
  ENDS[how].isRetried && spent < maxAttempts;

export const failedOutcome = (...why: Parameters<typeof scanFailure>): DeliveredOutcome => ({
  status: "failed",
  failure: scanFailure(...why),
});
