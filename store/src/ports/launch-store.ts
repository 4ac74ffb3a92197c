import type { ScanContext } from "@glovebox/contract";

/** A processing scan as a launcher needs it. */
export interface LaunchableScan {
  readonly id: string;
  /** Name of the account that pays. */
  readonly account: string;
  readonly url: string;
  readonly specUrl: string | null;
  readonly context: ScanContext | null;
  readonly ageSeconds: number;
}

/** The Scan resource that a row belongs to. */
export interface ResourceIdentity {
  readonly uid: string;
  readonly namespace: string;
  /** The uid of the scan namespace of the installation that carries it out (docs/adr/0011). */
  readonly installation: string;
}

/** A processing scan and the resource that was made for it, or that it was made from. */
export interface Launched {
  readonly id: string;
  readonly uid: string;
  readonly namespace: string;
}

/** Which processing scans were handed to what carries them out. Ages, in seconds, are by PostgreSQL's clock. */
export interface LaunchStore {
  /**
   * Processing scans older than this that nobody noted as launched, the oldest first: those of the installation,
   * and those of none.
   */
  unlaunched(installation: string, ageSeconds: number, limit: number): Promise<LaunchableScan[]>;
  /** Scans of the installation that were launched longer ago and are still processing. */
  launched(installation: string, ageSeconds: number): Promise<Launched[]>;
  /** Ids of processing scans of any installation that were handed to it, or accepted for it, longer ago. */
  overdue(ageSeconds: number): Promise<string[]>;
  /**
   * For how many seconds the database has known the installation: since it was first asked for it. A scan that was
   * accepted longer ago is on record in another database, or in one that was emptied since.
   */
  knownSeconds(installation: string): Promise<number>;
  /** Notes that the resources are there. A row that belongs to one already keeps it. */
  note(launched: readonly Launched[], installation: string): Promise<void>;
}
