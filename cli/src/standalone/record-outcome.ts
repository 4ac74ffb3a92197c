import { setTimeout as wait } from "node:timers/promises";
import { scanFailure, type DeliveredOutcome } from "@glovebox/contract";
import type { WorkStore } from "@glovebox/store";

export interface RecordDeps {
  readonly work: Pick<WorkStore, "record">;
  /** True for the error of a database that is away, which will be back. */
  readonly isUnavailable: (error: unknown) => boolean;
  readonly onError: (error: unknown) => void;
  /** Aborted: the service cannot wait any longer. */
  readonly signal: AbortSignal;
  readonly firstDelayMs: number;
}

const LONGEST_DELAY_MS = 10_000;
const REFUSALS = 3;
const lost: DeliveredOutcome = { status: "failed", failure: scanFailure("result_lost") };

/**
 * Records an outcome, however long the database is away. One that the database refuses three times for
 * another reason becomes the failure `result_lost`: no scan stays without an end.
 * @returns false when the service had to stop first; the scan is then carried out again after the next start.
 */
export async function recordOutcome(
  scanId: string,
  outcome: DeliveredOutcome,
  deps: RecordDeps,
): Promise<boolean> {
  let delay = deps.firstDelayMs;
  for (let refusals = 0; ;) {
    try {
      await deps.work.record(scanId, refusals < REFUSALS ? outcome : lost);
      return true;
    } catch (error) {
      deps.onError(error);
      if (!deps.isUnavailable(error)) refusals++;
    }
    if (!(await waited(delay, deps.signal))) return false;
    delay = Math.min(delay * 2, LONGEST_DELAY_MS);
  }
}

const waited = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  wait(milliseconds, undefined, { signal }).then(
    () => true,
    () => false,
  );
