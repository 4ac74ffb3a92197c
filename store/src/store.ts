import type {
  Grade,
  Outcome,
  Plan,
  Progress,
  ProgressFrame,
  ScanContext,
  ScanFailure,
  ScanStatus,
  ScanSummary,
  Scope,
} from "@glovebox/contract";

/** PostgreSQL as the rest of the house sees it. Every method rejects with `StoreUnavailable` when it is away. */
export interface Store {
  readonly accounts: AccountStore;
  readonly keys: KeyStore;
  readonly scans: ScanStore;
  readonly work: WorkStore;
  readonly launches: LaunchStore;
  readonly events: EventStore;
  /**
   * Runs the task unless any process is running one of this name; tells whether it ran. Not a fence: a process that
   * loses its connection to the database loses the name, too, while its task goes on.
   */
  exclusively(name: string, task: () => Promise<void>): Promise<boolean>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly owner: string | null;
  /** Overrides the plan's requests per minute; null: the plan's own. */
  readonly requestsPerMinute: number | null;
}

export interface AccountStore {
  /** Creates the account, or gives the one of this name this plan and owner. */
  declare(account: {
    name: string;
    plan: Plan;
    owner?: string | undefined;
    requestsPerMinute?: number | undefined;
  }): Promise<Account>;
  find(name: string): Promise<Account | undefined>;
}

/** What an accepted key stands for. */
export interface KeyHolder {
  readonly keyId: string;
  readonly account: Account;
  /** Empty: every scope. */
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

/** What may be told of a key; never its hash. */
export interface KeyRow {
  readonly id: string;
  readonly name: string;
  /** Empty: every scope. */
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

export interface KeyStore {
  /** Stores the hash of a key. The same hash again, in the same account, changes only its name, scopes and expiry. */
  add(key: {
    accountId: string;
    name: string;
    sha256: string;
    scopes?: readonly Scope[] | undefined;
    expiresAt?: Date | undefined;
  }): Promise<{ keyId: string }>;
  /** The holder of a key that is neither revoked nor expired. */
  findByHash(sha256: string, now: Date): Promise<KeyHolder | undefined>;
  /** Every key of an account, the oldest first, also those revoked and expired. */
  list(accountId: string): Promise<KeyRow[]>;
  /** From then on the key is refused; announces it to `events`. False: there is no such key. */
  revoke(keyId: string, now: Date): Promise<boolean>;
  /** Notes when keys were last used; called in batches. */
  touch(lastUsed: ReadonlyMap<string, Date>): Promise<void>;
}

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
  readonly now: Date;
  /** The client's key, and a digest of the body that came with it. */
  readonly idempotency?: { readonly key: string; readonly bodyDigest: string } | undefined;
  /** Scans a month; null: unlimited. */
  readonly scansPerMonth: number | null;
}

export type SubmitResult =
  | { readonly outcome: "created"; readonly scan: ScanRow }
  | { readonly outcome: "replayed"; readonly scan: ScanRow }
  | { readonly outcome: "conflict" }
  | { readonly outcome: "quotaExceeded" };

/** A scan that was asked for otherwise than by a request: a Scan resource applied by hand. */
export interface Adoption extends Pick<Submission, "url" | "specUrl" | "context" | "now" | "scansPerMonth"> {
  /** Follows from the resource, so that adopting it twice is adopting it once. */
  readonly id: string;
  readonly accountName: string;
}

export type AdoptResult = "adopted" | "known" | "unknownAccount" | "quotaExceeded";

export interface ScanStore {
  /**
   * One transaction: idempotency, charge, row. Exact under any concurrency, over any number of processes.
   * A request refused over the quota, or whose scan was erased, leaves its Idempotency-Key free.
   */
  submit(submission: Submission): Promise<SubmitResult>;
  /** One transaction: account, charge, row, which counts as launched. Nothing is charged for an id that is known. */
  adopt(adoption: Adoption): Promise<AdoptResult>;
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
  remove(accountId: string, id: string, now: Date): Promise<"cancelled" | "erased" | "missing">;
}

/** A scan to be carried out. */
export interface ClaimedScan {
  readonly id: string;
  readonly url: string;
  readonly specUrl: string | null;
  readonly context: ScanContext | null;
  /** 1 for the first. */
  readonly attempt: number;
}

/** The queue as the processes that carry scans out see it. A claim not renewed in time may be taken by another. */
export interface WorkStore {
  /** The next processing scan that nobody holds: accounts with the fewest running scans first, then the oldest. */
  claim(worker: string, now: Date, leaseSeconds: number): Promise<ClaimedScan | undefined>;
  /** Prolongs the claims; returns the ids that the worker still holds and that are still processing. */
  renew(worker: string, ids: readonly string[], now: Date, leaseSeconds: number): Promise<string[]>;
  /** Gives claims back at once, for a shutdown in good order; the attempt is not counted. */
  release(worker: string, ids: readonly string[]): Promise<void>;
  /** Writes progress of a processing scan and announces it. */
  progress(id: string, frame: ProgressFrame, total: Progress): Promise<void>;
  /**
   * Records how a scan ended, in one transaction that only a processing row accepts, and announces it.
   * A failure that was the service's own is given back to the quota of the month that was charged.
   * Returns false, and changes nothing, when the scan had already ended.
   */
  record(id: string, outcome: Outcome, now: Date): Promise<boolean>;
  /** What is on record of a scan, whatever its account, without the report. */
  find(id: string): Promise<ScanOnRecord | undefined>;
}

export interface ScanOnRecord {
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

/** A processing scan as a launcher needs it. */
export interface LaunchableScan {
  readonly id: string;
  /** Name of the account that pays. */
  readonly account: string;
  readonly url: string;
  readonly specUrl: string | null;
  readonly context: ScanContext | null;
  readonly createdAt: Date;
}

/** Which processing scans were handed to what carries them out. */
export interface LaunchStore {
  /** Processing scans from before this moment that nobody noted as launched, the oldest first. */
  unlaunched(createdBefore: Date, limit: number): Promise<LaunchableScan[]>;
  /** Scans that were launched before this moment and are still processing. */
  launched(launchedBefore: Date): Promise<LaunchableScan[]>;
  note(ids: readonly string[], now: Date): Promise<void>;
}

export type StoreEvent =
  /** A hint, sent right after the submission: one may be lost, so whoever carries scans out also looks now and then. */
  | { readonly type: "scanSubmitted"; readonly id: string }
  | {
      readonly type: "scanProgress";
      readonly id: string;
      readonly frame: Pick<ProgressFrame, "category" | "done" | "planned">;
      readonly total: Progress;
    }
  | { readonly type: "scanEnded"; readonly id: string }
  | { readonly type: "keyRevoked"; readonly keyId: string }
  /** The connection was lost for a while: anything may have happened meanwhile. */
  | { readonly type: "reconnected" };

export interface EventStore {
  /**
   * LISTEN: calls the handler for what any process announces, until the returned function is called. A lost
   * connection is replaced as soon as the database is back. The handler must not throw.
   */
  listen(handler: (event: StoreEvent) => void): Promise<() => Promise<void>>;
}
