import type { Plan } from "@glovebox/contract";

/** For how many days what is kept no longer than it must be is kept. */
export interface RetentionPolicy {
  /** Ended scans and their reports, by the plan that their account has now. */
  readonly scanDays: Readonly<Record<Plan, number>>;
  /** Usage of past months, counted from the end of the month. */
  readonly usageDays: number;
}

export type RetentionKind = "scans" | "idempotencyKeys" | "usage";

/** Deletes what is older, by PostgreSQL's clock. */
export interface RetentionStore {
  /**
   * Deletes at most so many rows of this kind in one short transaction that no submission waits for; returns how many.
   * Scans that have not ended are never deleted.
   */
  deleteBatch(kind: RetentionKind, policy: RetentionPolicy, limit: number): Promise<number>;
}
