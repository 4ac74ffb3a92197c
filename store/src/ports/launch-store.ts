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

/** Which processing scans were handed to what carries them out. */
export interface LaunchStore {
  /** Processing scans from before this moment that nobody noted as launched, the oldest first. */
  unlaunched(createdBefore: Date, limit: number): Promise<LaunchableScan[]>;
  /** Scans that were launched before this moment and are still processing. */
  launched(launchedBefore: Date): Promise<LaunchableScan[]>;
  note(ids: readonly string[], now: Date): Promise<void>;
}
