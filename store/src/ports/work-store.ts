import type {
  DeliveredOutcome,
  Grade,
  Progress,
  ProgressFrame,
  ScanContext,
  ScanFailure,
  ScanStatus,
} from "@glovebox/contract";

/** A scan to be carried out. */
export interface ClaimedScan {
  readonly id: string;
  readonly url: string;
  readonly specUrl: string | null;
  readonly context: ScanContext | null;
  /** 1 for the first. */
  readonly attempt: number;
}

/**
 * The queue as the processes that carry scans out see it. A claim not renewed in time may be taken by another. Leases
 * run by PostgreSQL's clock: those of the workers may differ.
 */
export interface WorkStore {
  /** The next processing scan that nobody holds: accounts with the fewest running scans first, then the oldest. */
  claim(worker: string, leaseSeconds: number): Promise<ClaimedScan | undefined>;
  /** Prolongs the claims; returns the ids that the worker still holds and that are still processing. */
  renew(worker: string, ids: readonly string[], leaseSeconds: number): Promise<string[]>;
  /** Gives claims back at once, for a shutdown in good order; the attempt is not counted. */
  release(worker: string, ids: readonly string[]): Promise<void>;
  /** Writes progress of a processing scan and announces it. */
  progress(id: string, frame: ProgressFrame, total: Progress): Promise<void>;
  /**
   * Records how a scan ended, in one transaction that only a processing row accepts, and announces it.
   * A failure that was the service's own is given back to the quota of the month that was charged.
   * Returns false, and changes nothing, when the scan had already ended.
   */
  record(id: string, outcome: DeliveredOutcome): Promise<boolean>;
  /** What is on record of a scan, whatever its account, without the report. */
  find(id: string): Promise<ScanOnRecord | undefined>;
}

export interface ScanOnRecord {
  /** Of the resource that the row belongs to, where one was noted. */
  readonly resourceUid: string | null;
  readonly status: ScanStatus;
  readonly url: string;
  readonly specUrl: string | null;
  readonly context: ScanContext | null;
  /** Of a completed scan. */
  readonly score: number | null;
  readonly grade: Grade | null;
  readonly findings: number;
  /** Of a failed scan. */
  readonly failure: ScanFailure | null;
}
