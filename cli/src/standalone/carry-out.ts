import { setTimeout as wait } from "node:timers/promises";
import type { DeliveredOutcome, ScanFailure, ScanOrder } from "@glovebox/contract";
import { ProgressWriter, type ClaimedScan, type WorkStore } from "@glovebox/store";
import type { RunEnding, ScannerRun } from "../scanner/run-scanner.ts";
import { nextStep, refusalBeforeAttempt, type AbortReason } from "./attempt-ending.ts";

export interface CarryOutDeps {
  readonly work: Pick<WorkStore, "progress">;
  /** What the scanner is to be told; or why this scan may not or cannot be carried out. */
  readonly order: (scan: ClaimedScan) => Promise<{ order: ScanOrder } | { failure: ScanFailure }>;
  readonly run: (run: ScannerRun) => Promise<RunEnding>;
  /** Pause before another attempt, in milliseconds. */
  readonly retryDelayMs: number;
}

export type CarriedOut =
  | { readonly step: "record"; readonly outcome: DeliveredOutcome }
  | { readonly step: "release" | "forget" };

/**
 * Carries out one claimed scan, with as many attempts as it may have.
 * @param signal when aborted its reason is an `AbortReason`.
 */
export async function carryOut(
  scan: ClaimedScan,
  signal: AbortSignal,
  deps: CarryOutDeps,
): Promise<CarriedOut> {
  const refused = refusalBeforeAttempt(scan.attempt);
  if (refused) return { step: "record", outcome: refused };

  const decided = await deps.order(scan);
  if ("failure" in decided)
    return { step: "record", outcome: { status: "failed", failure: decided.failure } };

  for (let attempt = scan.attempt; ; attempt++) {
    const ending = await runOnce(decided.order, signal, deps);
    const next = nextStep(ending, { attempt, aborted: abortReason(signal) });
    if (next.step !== "retry") return next;
    await wait(deps.retryDelayMs * attempt, undefined, { signal }).catch(() => {});
  }
}

async function runOnce(order: ScanOrder, signal: AbortSignal, deps: CarryOutDeps): Promise<RunEnding> {
  const progress = new ProgressWriter(order.scanId, deps.work);
  try {
    return await deps.run({ order, signal, onProgress: (frame) => progress.add(frame) });
  } finally {
    await progress.close();
  }
}

const abortReason = (signal: AbortSignal): AbortReason | undefined =>
  signal.aborted ? (signal.reason as AbortReason) : undefined;
