import { randomUUID } from "node:crypto";
import { OutcomeReader } from "@glovebox/scan-run";
import { describeFault, type ScanLauncher, type createApi } from "@glovebox/api";
import { StoreUnavailable, type ClaimLimits, type Store } from "@glovebox/store";
import { ownScanner, type ScannerProgram } from "../scanner/program.ts";
import { runScanner } from "../scanner/run-scanner.ts";
import { executeScan, recordOutcome } from "./execute-scan.ts";
import { scanOrderFor, type OrderDeps } from "./scan-order.ts";
import { Worker } from "./worker.ts";

export interface ScanWorkerDeps {
  readonly store: Pick<Store, "work" | "events" | "identities" | "scanWrites">;
  readonly order: Omit<OrderDeps, "identities">;
  readonly logger: Pick<Parameters<typeof createApi>[0]["logger"], "warn">;
  readonly maxConcurrent: number;
  readonly limits?: ClaimLimits;
  readonly program?: ScannerProgram;
  readonly timing?: Partial<WorkerTiming>;
}

export interface WorkerTiming {
  /** Duration of a claim without renewal. */
  readonly leaseSeconds: number;
  readonly renewEveryMs: number;
  /** How long a scanner may run beyond its deadline. */
  readonly graceMs: number;
  /** Pause before the second attempt; twice as long before the third. */
  readonly retryDelayMs: number;
  /** First pause after an outcome could not be recorded; each is twice the one before. */
  readonly recordDelayMs: number;
}

const TIMING: WorkerTiming = {
  leaseSeconds: 15,
  renewEveryMs: 5_000,
  graceMs: 10_000,
  retryDelayMs: 1_000,
  recordDelayMs: 500,
};

/** The worker of standalone mode: it runs scans in child processes. */
export function createScanWorker(deps: ScanWorkerDeps): Worker {
  const { store, order, logger } = deps;
  const timing = { ...TIMING, ...deps.timing };
  const scanner = {
    program: deps.program ?? ownScanner(),
    node: process.execPath,
    outcomes: new OutcomeReader(),
    graceMs: timing.graceMs,
    onStderr: (scanId: string, stderr: string) => logger.warn({ scanId, stderr }, "scanner wrote to stderr"),
  };
  const onError = (doing: string, error: unknown) => logger.warn(describeFault(error), `could not ${doing}`);
  return new Worker({
    work: store.work,
    events: store.events,
    executeScan: (scan, signal) =>
      executeScan(scan, signal, {
        work: store.work,
        scanWrites: store.scanWrites,
        order: (claimed) => scanOrderFor(claimed, { ...order, identities: store.identities }),
        run: (run) => runScanner(run, scanner),
        retryDelayMs: timing.retryDelayMs,
      }),
    record: (scanId, outcome, signal) =>
      recordOutcome(scanId, outcome, {
        work: store.work,
        isUnavailable: (error) => error instanceof StoreUnavailable,
        onError: (error) => onError("record a scan", error),
        signal,
        firstDelayMs: timing.recordDelayMs,
      }),
    name: `standalone-${process.pid}-${randomUUID()}`,
    maxConcurrent: deps.maxConcurrent,
    limits: deps.limits,
    leaseSeconds: timing.leaseSeconds,
    renewEveryMs: timing.renewEveryMs,
    onError,
  });
}

/** Forwards launches and cancellations to the worker of this process. */
export const launcherFor = (worker: Pick<Worker, "wake" | "cancel">): ScanLauncher => ({
  launch: async () => worker.wake(),
  cancel: async (scanId) => worker.cancel(scanId),
});
