import type { ScanContext } from "@glovebox/contract";

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

/** Which processing scans were handed to what carries them out. */
export interface LaunchStore {
  /**
   * Processing scans from before this moment that nobody noted as launched, the oldest first: those of the
   * installation, and those of none.
   */
  unlaunched(installation: string, createdBefore: Date, limit: number): Promise<LaunchableScan[]>;
  /** Scans of the installation that were launched before this moment and are still processing. */
  launched(installation: string, launchedBefore: Date): Promise<Launched[]>;
  /** Ids of processing scans of any installation that were handed to it, or accepted for it, before this moment. */
  overdue(before: Date): Promise<string[]>;
  /** Notes that the resources are there. A row that belongs to one already keeps it. */
  note(launched: readonly Launched[], installation: string, now: Date): Promise<void>;
}
