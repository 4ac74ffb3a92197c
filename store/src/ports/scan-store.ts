import type { Progress, ScanContext, ScanFailure, ScanStatus, ScanSummary } from "@glovebox/contract";
import type { Account } from "./account-store.ts";
import type { ResourceIdentity } from "./launch-store.ts";

export interface ScanRow {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly specUrl: string | null;
  readonly context: ScanContext | null;
  readonly status: ScanStatus;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly progress: Progress;
  readonly failure: ScanFailure | null;
}

export interface Submission {
  readonly id: string;
  readonly account: Account;
  readonly url: string;
  readonly specUrl?: string | undefined;
  readonly context?: ScanContext | undefined;
  /** The client's key, and a digest of the body that came with it. */
  readonly idempotency?: { readonly key: string; readonly bodyDigest: string } | undefined;
  /** Scans a month; null: unlimited. */
  readonly scansPerMonth: number | null;
  /** The installation that launches it; absent on one machine. */
  readonly installation?: string | undefined;
}

export type SubmitResult =
  | { readonly outcome: "created"; readonly scan: ScanRow }
  | { readonly outcome: "replayed"; readonly scan: ScanRow }
  | { readonly outcome: "conflict" }
  /** In the month (UTC) of this moment, which is PostgreSQL's, there are none left. */
  | { readonly outcome: "quotaExceeded"; readonly at: Date };

/** A scan that was asked for otherwise than by a request: a Scan resource applied by hand. */
export interface Adoption extends Pick<Submission, "url" | "specUrl" | "context" | "scansPerMonth"> {
  /** Follows from the resource, so that adopting it twice is adopting it once. */
  readonly id: string;
  readonly accountName: string;
  readonly resource: ResourceIdentity;
}

/** A resource that says that a row is its own, and what it asks for. */
export interface Binding extends Pick<Adoption, "id" | "url" | "specUrl" | "context" | "resource"> {
  /** Undefined where the resource need not name its account. */
  readonly accountName: string | undefined;
}

export type AdoptResult = "adopted" | "known" | "unknownAccount" | "quotaExceeded";

export interface ScanStore {
  /**
   * One transaction: idempotency, charge, row. Exact under any concurrency, over any number of processes.
   * A request refused over the quota, or whose scan was erased, leaves its Idempotency-Key free.
   */
  submit(submission: Submission): Promise<SubmitResult>;
  /**
   * What `submit` would answer now if it would create no scan; undefined if it would. Nothing is charged or written, so
   * only `submit` decides.
   */
  foresee(submission: Submission): Promise<Exclude<SubmitResult, { outcome: "created" }> | undefined>;
  /** One transaction: account, charge, row, which counts as launched. Nothing is charged for an id that is known. */
  adopt(adoption: Adoption): Promise<AdoptResult>;
  /**
   * Notes the resource of a row of which none was noted yet, and which asks for the same. False, and nothing is changed,
   * for any other row.
   */
  bind(binding: Binding): Promise<boolean>;
  /**
   * The scan with, when completed, its report as JSON text: an object that is stored as it will be sent,
   * so that reading a scan parses nothing.
   */
  get(accountId: string, id: string): Promise<{ scan: ScanRow; reportJson: string | null } | undefined>;
  /** One indexed query; `total` comes from a counter. */
  list(
    accountId: string,
    page: { limit: number; offset: number },
  ): Promise<{ scans: ScanSummary[]; total: number }>;
  /** Cancels a processing scan (it becomes failed, `cancelled`), erases an ended one. */
  remove(accountId: string, id: string): Promise<"cancelled" | "erased" | "missing">;
}
