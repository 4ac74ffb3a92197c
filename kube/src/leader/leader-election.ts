import { type Clock, sleep, systemClock } from "../timing/clock.ts";
import { isAlreadyExists, isConflict } from "../client/error.ts";
import {
  type Claim,
  claimed,
  hasChanged,
  isClaimable,
  type LeaseRecord,
  type LeaseStore,
  released,
  type StoredLease,
} from "./lease.ts";
import type { Random } from "../timing/throttling.ts";

export interface LeaderElectionOptions {
  readonly leases: LeaseStore;
  /** Unique name of this process; another one after a restart. */
  readonly identity: string;
  /** Called once, when this process leads. */
  readonly onElected: (fence: Fence) => void;
  /** Called once, after the fence has aborted, when leadership is lost; not after `stop`. The process should exit. */
  readonly onLost: () => void;
  readonly onError?: (error: unknown) => void;
  readonly timing?: LeaseTiming;
  readonly clock?: Clock;
  readonly random?: Random;
}

export interface LeaseTiming {
  /** Others take over the lease after they have observed it unchanged for this time. */
  readonly leaseMs: number;
  /** A leader that could not renew for this time stops leading. It must be shorter than `leaseMs`. */
  readonly renewDeadlineMs: number;
  /** Time between two tries. */
  readonly retryMs: number;
}

const DEFAULT_TIMING: LeaseTiming = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2000 };

/**
 * Leader election with a Lease. An election leads once: it ends when leadership is lost.
 *
 * At most one process leads: a leader measures its time from before it sent its last successful renewal, and stops earlier than any
 * candidate that observed the renewal may take over. Clocks of processes are never compared.
 */
export class LeaderElection {
  readonly #options: LeaderElectionOptions;
  readonly #timing: LeaseTiming;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  readonly #term = new AbortController();
  #running: Promise<void> | undefined;
  #observed: { readonly record: LeaseRecord; readonly at: number } | undefined;
  #held: StoredLease | undefined;
  #renewedAt = 0;
  #cancelDeadline: () => void = () => undefined;

  constructor(options: LeaderElectionOptions) {
    this.#options = options;
    this.#timing = options.timing ?? DEFAULT_TIMING;
    this.#clock = options.clock ?? systemClock;
    const { leaseMs, renewDeadlineMs, retryMs } = this.#timing;
    if (leaseMs <= renewDeadlineMs || renewDeadlineMs <= retryMs) {
      throw new RangeError("timing: leaseMs must exceed renewDeadlineMs, and that must exceed retryMs");
    }
  }

  get isLeader(): boolean {
    const { renewDeadlineMs } = this.#timing;
    const held = this.#held !== undefined && !this.#term.signal.aborted;
    return held && this.#clock.monotonic() - this.#renewedAt < renewDeadlineMs;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Stops leading and releases the lease immediately. Stop the work before. It never rejects. */
  async stop(): Promise<void> {
    const lost = this.#term.signal.aborted;
    this.#stopping.abort();
    this.#endTerm();
    await this.#running;
    const held = this.#held;
    if (lost || held === undefined) return;
    this.#held = undefined;
    const record = released(held.record, this.#clock.now());
    await this.#bounded(this.#options.leases.replace(record, held.version)).catch((error: unknown) =>
      this.#options.onError?.(error),
    );
  }

  get #over(): boolean {
    return this.#stopping.signal.aborted || this.#term.signal.aborted;
  }

  async #run(): Promise<void> {
    const { random = Math.random, onError } = this.#options;
    const either = AbortSignal.any([this.#stopping.signal, this.#term.signal]);
    while (!this.#over) {
      const startedAt = this.#clock.monotonic();
      try {
        const held = await (this.#held === undefined ? this.#acquire() : this.#renew(this.#held));
        if (held !== undefined) this.#hold(held, startedAt);
      } catch (error) {
        onError?.(error);
      }
      const jitter = this.#held === undefined ? 1 + 0.2 * random() : 1;
      await sleep(this.#clock, this.#timing.retryMs * jitter, either);
    }
  }

  async #acquire(): Promise<StoredLease | undefined> {
    const { leases } = this.#options;
    const stored = await this.#bounded(leases.read());
    if (stored && !isClaimable(stored.record, this.#unchangedMs(stored.record), this.#claim)) return;
    if (this.#over) return;
    try {
      return await this.#write(stored);
    } catch (error) {
      // Another candidate acquired the lease.
      if (isConflict(error) || isAlreadyExists(error)) return undefined;
      throw error;
    }
  }

  async #renew(held: StoredLease): Promise<StoredLease | undefined> {
    try {
      return await this.#write(held);
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    const stored = await this.#bounded(this.#options.leases.read());
    if (stored?.record.holder !== this.#options.identity) return void this.#lose();
    // The response of a renewal was lost, or another field of the object was changed.
    return await this.#write(stored);
  }

  get #claim(): Claim {
    return { identity: this.#options.identity, leaseMs: this.#timing.leaseMs };
  }

  /** Takes or renews the lease, on condition of the version that was read. */
  #write(stored: StoredLease | undefined): Promise<StoredLease> {
    const { leases } = this.#options;
    const record = claimed(stored?.record, this.#claim, this.#clock.now());
    return this.#bounded(stored ? leases.replace(record, stored.version) : leases.create(record));
  }

  /** How long this process has observed the record unchanged. */
  #unchangedMs(record: LeaseRecord): number {
    const now = this.#clock.monotonic();
    if (this.#observed === undefined || hasChanged(this.#observed.record, record)) {
      this.#observed = { record, at: now };
    }
    return now - this.#observed.at;
  }

  #hold(lease: StoredLease, startedAt: number): void {
    const leftMs = startedAt + this.#timing.renewDeadlineMs - this.#clock.monotonic();
    const first = this.#held === undefined;
    // The response was too late to lead by it; the next attempt finds the lease in our name.
    if (first && leftMs <= 0) return;
    this.#held = lease;
    if (this.#over) return;
    this.#renewedAt = startedAt;
    this.#cancelDeadline();
    this.#cancelDeadline = this.#clock.after(Math.max(0, leftMs), () => this.#lose());
    if (first) this.#options.onElected(this.#fence());
  }

  #fence(): Fence {
    return {
      signal: this.#term.signal,
      assertHeld: () => {
        if (!this.isLeader) throw new FenceLostError();
      },
    };
  }

  #lose(): void {
    if (this.#term.signal.aborted) return;
    this.#endTerm();
    this.#options.onLost();
  }

  #endTerm(): void {
    this.#cancelDeadline();
    this.#term.abort(new FenceLostError());
  }

  /** The timeout of a call is half of the time to renew, so that a second attempt is possible. */
  #bounded<T>(call: Promise<T>): Promise<T> {
    const timeout = Promise.withResolvers<never>();
    const cancel = this.#clock.after(this.#timing.renewDeadlineMs / 2, () =>
      timeout.reject(new Error("The API server did not respond in time")),
    );
    return Promise.race([call, timeout.promise]).finally(cancel);
  }
}

/** A write was refused because this process is no longer the leader. */
export class FenceLostError extends Error {
  override readonly name = "FenceLostError";

  constructor() {
    super("This controller is no longer the leader; the write was refused");
  }
}

/** The right to write, for as long as this process leads. */
export interface Fence {
  /** Aborts when the right is lost. */
  readonly signal: AbortSignal;
  /**
   * Called before each write. It checks the clock too, because timers of a paused process may not have fired yet.
   * @throws FenceLostError
   */
  assertHeld(): void;
}
