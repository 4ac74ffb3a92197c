import { setTimeout as wait } from "node:timers/promises";
import { failedOutcome, isRetried, MAX_ATTEMPTS, type DeliveredOutcome } from "@glovebox/scan-run";
import type { ScanFailure, ScanOrder } from "@glovebox/contract";
import { ProgressWriter, WriteNoter, type ScanRow, type ScanWrites, type WorkStore } from "@glovebox/store";
import { outcomeOfRun, type RunEnding, type ScannerRun } from "../scanner/run-scanner.ts";

export interface ExecutionDeps {
  readonly work: Pick<WorkStore, "progress">;
  readonly scanWrites: Pick<ScanWrites, "note" | "resumptionOf">;
  /** The order for the scanner, or the failure of a scan that cannot run. */
  readonly order: (scan: ScanRow) => Promise<{ order: ScanOrder } | { failure: ScanFailure }>;
  readonly run: (run: ScannerRun) => Promise<RunEnding>;
  /** Pause before another attempt, in milliseconds. */
  readonly retryDelayMs: number;
}

export type ExecutionResult =
  | { readonly step: "record"; readonly outcome: DeliveredOutcome }
  | { readonly step: "release" | "forget" };

/**
 * Runs a claimed scan, with up to `MAX_ATTEMPTS` attempts. Each attempt of an active scan gets the writes of the earlier ones, to clean up
 * after them; after the last, where it had no outcome, another run does nothing else.
 * @param signal when aborted its reason is an `AbortReason`.
 */
export async function executeScan(
  scan: ScanRow,
  signal: AbortSignal,
  deps: ExecutionDeps,
): Promise<ExecutionResult> {
  const refused = refusalBeforeAttempt(scan.attempts);
  if (refused && scan.mode === null) return { step: "record", outcome: refused };

  const decided = await deps.order(scan);
  if ("failure" in decided)
    return { step: "record", outcome: refused ?? { status: "failed", failure: decided.failure } };
  const { order } = decided;
  if (refused) {
    await cleanUp(order, signal, deps);
    return { step: "record", outcome: refused };
  }

  for (let attempt = scan.attempts; ; attempt++) {
    const ending = await runOnce(await resumed(order, deps), signal, deps);
    const next = nextStep(ending, { attempt, aborted: abortReason(signal) });
    if (next.step === "record" && ending.how !== "delivered") await cleanUp(order, signal, deps);
    if (next.step !== "retry") return next;
    await wait(deps.retryDelayMs * attempt, undefined, { signal }).catch(() => {});
  }
}

/** The order of the next attempt, with what the earlier ones of an active scan wrote. */
async function resumed(order: ScanOrder, { scanWrites }: ExecutionDeps): Promise<ScanOrder> {
  if (order.mode !== "active") return order;
  const resumption = await scanWrites.resumptionOf(order.scanId);
  return resumption ? { ...order, resumption } : order;
}

/** Deletes what is left of an active scan that has no further attempt. */
async function cleanUp(order: ScanOrder, signal: AbortSignal, deps: ExecutionDeps): Promise<void> {
  const { resumption, ...rest } = await resumed(order, deps);
  if (!resumption || resumption.writes.every(({ cleaned }) => cleaned)) return;
  await runOnce({ ...rest, resumption: { ...resumption, cleanUpOnly: true } }, signal, deps);
}

async function runOnce(order: ScanOrder, signal: AbortSignal, deps: ExecutionDeps): Promise<RunEnding> {
  const progress = new ProgressWriter(order.scanId, deps.work);
  const writes = new WriteNoter(order.scanId, deps.scanWrites);
  try {
    return await deps.run({
      ...{ order, signal },
      onProgress: (frame) => progress.add(frame),
      onWrite: (write) => writes.add(write),
    });
  } finally {
    await progress.close();
    await writes.close();
  }
}

const abortReason = (signal: AbortSignal): AbortReason | undefined =>
  signal.aborted ? (signal.reason as AbortReason) : undefined;

/** What to do with a scan after an attempt. */
export type NextStep =
  | { readonly step: "record"; readonly outcome: DeliveredOutcome }
  | { readonly step: "retry" }
  /** Release the claim: the service is stopping, and the scan runs after the next start. */
  | { readonly step: "release" }
  /** Nothing: the scan was cancelled or deleted, or another worker holds it. */
  | { readonly step: "forget" };

/** Why an attempt was aborted: the service is stopping, or the worker has lost the claim. */
export type AbortReason = "stopping" | "removed";

export interface Attempt {
  /** 1 for the first. */
  readonly attempt: number;
  readonly aborted: AbortReason | undefined;
}

/** Before an attempt: a scan fails if the service stopped in each of its earlier attempts. @internal */
export const refusalBeforeAttempt = (attempt: number): DeliveredOutcome | undefined =>
  attempt > MAX_ATTEMPTS ? failedOutcome("service_restarted") : undefined;

/** After an attempt. A delivered outcome counts even if the service is stopping. @internal */
export function nextStep(ending: RunEnding, { attempt, aborted }: Attempt): NextStep {
  if (aborted === "removed") return { step: "forget" };
  if (ending.how === "aborted") return { step: "release" };
  if (ending.how !== "delivered") {
    // The stop of the service may have caused it.
    if (aborted === "stopping" && isRetried(ending, 0)) return { step: "release" };
    if (isRetried(ending, attempt)) return { step: "retry" };
  }
  return { step: "record", outcome: outcomeOfRun(ending) };
}

export interface RecordDeps {
  readonly work: Pick<WorkStore, "record">;
  /** True if the database is unavailable: the write is retried without limit. */
  readonly isUnavailable: (error: unknown) => boolean;
  readonly onError: (error: unknown) => void;
  /** Aborted: the service cannot wait any longer. */
  readonly signal: AbortSignal;
  readonly firstDelayMs: number;
}

const MAX_DELAY_MS = 10_000;
const REFUSALS = 3;

/**
 * Records an outcome, and waits for a database that is unavailable. An outcome that the database rejects three times is recorded as
 * `result_lost`, so that every scan ends.
 * @returns false when the service had to stop first; the scan then runs again after the next start.
 */
export async function recordOutcome(
  scanId: string,
  outcome: DeliveredOutcome,
  deps: RecordDeps,
): Promise<boolean> {
  let delay = deps.firstDelayMs;
  for (let refusals = 0; ;) {
    try {
      await deps.work.record(scanId, refusals < REFUSALS ? outcome : failedOutcome("result_lost"));
      return true;
    } catch (error) {
      deps.onError(error);
      if (!deps.isUnavailable(error)) refusals++;
    }
    if (!(await waited(delay, deps.signal))) return false;
    delay = Math.min(delay * 2, MAX_DELAY_MS);
  }
}

const waited = (milliseconds: number, signal: AbortSignal): Promise<boolean> =>
  wait(milliseconds, undefined, { signal }).then(
    () => true,
    () => false,
  );
