import type { DeliveredOutcome } from "@glovebox/scan-run";
import type { ClaimLimits, ScanRow, Store, StoreEvent, WorkStore } from "@glovebox/store";
import type { AbortReason, ExecutionResult } from "./execute-scan.ts";

export interface WorkerDeps {
  readonly work: WorkStore;
  readonly events: Store["events"];
  readonly executeScan: (scan: ScanRow, signal: AbortSignal) => Promise<ExecutionResult>;
  readonly record: (scanId: string, outcome: DeliveredOutcome, signal: AbortSignal) => Promise<boolean>;
  /** Unique name of this worker, also across restarts. */
  readonly name: string;
  readonly maxConcurrent: number;
  /** Of all workers together, by account and by host. Undefined: none. */
  readonly limits: ClaimLimits | undefined;
  readonly leaseSeconds: number;
  /** Milliseconds between renewals, which also check for expired claims of other workers. */
  readonly renewEveryMs: number;
  readonly onError: (doing: string, error: unknown) => void;
}

/** Claims and runs scans, a limited number at a time. */
export class Worker {
  readonly #deps: WorkerDeps;
  readonly #running = new Map<string, { readonly abort: AbortController; readonly over: Promise<void> }>();
  readonly #stopping = new AbortController();
  #unlisten: () => Promise<void> = async () => {};
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> | undefined;
  #filling: Promise<void> | undefined;
  #claimAgain = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    this.#unlisten = await this.#deps.events.listen((event) => this.#onEvent(event));
    this.#timer = setInterval(() => this.#tick(), this.#deps.renewEveryMs);
    this.wake();
  }

  /** There may be a scan to claim: check immediately. */
  wake(): void {
    this.#claimAgain = true;
    if (this.#stopping.signal.aborted) return;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
      if (this.#claimAgain) this.wake();
    });
  }

  /** Kills the scanner of the scan if it runs here. */
  cancel(scanId: string): void {
    this.#running.get(scanId)?.abort.abort("removed" satisfies AbortReason);
  }

  /** Stops claiming, stops running scans, and releases their claims. */
  async stop(): Promise<void> {
    this.#stopping.abort("stopping" satisfies AbortReason);
    clearInterval(this.#timer);
    await this.#unlisten().catch((error: unknown) => this.#deps.onError("stop listening", error));
    await this.#filling;
    for (const { abort } of this.#running.values()) abort.abort("stopping" satisfies AbortReason);
    await Promise.all([...this.#running.values()].map(({ over }) => over));
    await this.#renewing;
  }

  #onEvent(event: StoreEvent): void {
    if (event.type === "scanSubmitted") this.wake();
    else if (event.type === "scanEnded") this.cancel(event.id);
    else if (event.type === "reconnected") this.#tick();
  }

  #tick(): void {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
      this.wake();
    });
  }

  async #renew(): Promise<void> {
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    const { work, name, leaseSeconds } = this.#deps;
    try {
      const held = new Set(await work.renew(name, ids, leaseSeconds));
      for (const id of ids) if (!held.has(id)) this.cancel(id);
    } catch (error) {
      this.#deps.onError("renew claims", error);
    }
  }

  async #fill(): Promise<void> {
    while (this.#claimAgain) {
      this.#claimAgain = false;
      while (this.#running.size < this.#deps.maxConcurrent && !this.#stopping.signal.aborted) {
        const scan = await this.#claim();
        if (!scan) break;
        // Our own claim may have expired during an outage of the database and be claimed again: the scan still runs.
        if (!this.#running.has(scan.id)) this.#begin(scan);
      }
    }
  }

  async #claim(): Promise<ScanRow | undefined> {
    const { work, name, leaseSeconds, limits } = this.#deps;
    try {
      return await work.claim(name, leaseSeconds, limits);
    } catch (error) {
      this.#deps.onError("claim a scan", error);
      return undefined;
    }
  }

  #begin(scan: ScanRow): void {
    const abort = new AbortController();
    const over = this.#executeScan(scan, abort.signal)
      .catch((error: unknown) => this.#deps.onError("run a scan", error))
      .finally(() => {
        this.#running.delete(scan.id);
        this.wake();
      });
    this.#running.set(scan.id, { abort, over });
  }

  async #executeScan(scan: ScanRow, signal: AbortSignal): Promise<void> {
    const done = await this.#deps.executeScan(scan, signal);
    if (done.step === "record") await this.#deps.record(scan.id, done.outcome, this.#stopping.signal);
    else if (done.step === "release") await this.#deps.work.release(this.#deps.name, [scan.id]);
  }
}
