import { admit, Reservations, type SlotLimits } from "@glovebox/scan-run";
import type { Database } from "../database/database.ts";
import { SCAN_COLUMNS, type ScanRow, type ScanColumns, toScanRow } from "./scan-row.ts";

/** Limits of the scans that run at the same time, beside how many the worker itself runs. */
export type ClaimLimits = Omit<SlotLimits, "total">;

const NO_LIMITS: ClaimLimits = { perAccount: 10_000, perHost: 10_000 };

interface ClaimableScan {
  readonly id: string;
  readonly accountId: string;
  readonly host: string;
  readonly createdAt: Date;
  readonly isClaimed: boolean;
}

/** The queue of standalone mode. Which scan is next, the fair queue decides, as it does for the controller. */
export class ScanClaims {
  readonly #database: Database;
  /** By account, the number of its last admission. */
  readonly #admissions = new Map<string, number>();
  #lastAdmission = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Claims the next scan that no worker has claimed. Its `attempts` include this one. */
  async next(worker: string, leaseSeconds: number, limits = NO_LIMITS): Promise<ScanRow | undefined> {
    const claimed = await this.#database.transaction(async (transaction) => {
      const now = transaction.now();
      const scans = await transaction.run(
        (sql) => sql<ClaimableScan[]>`select * from claimable_scans(${now}, ${limits.perHost})`,
      );
      const next = this.#nextOf(scans, limits);
      if (!next) return undefined;
      const [row] = await transaction.run(
        (sql) => sql<ScanColumns[]>`
          select ${sql.unsafe(SCAN_COLUMNS)} from claim_scan(${next.id}, ${worker}, ${now}, ${leaseSeconds}) s`,
      );
      return row;
    });
    if (!claimed) return undefined;
    this.#admissions.set(claimed.accountId, ++this.#lastAdmission);
    return toScanRow(claimed);
  }

  #nextOf(scans: readonly ClaimableScan[], limits: ClaimLimits): ClaimableScan | undefined {
    const reserved = new Reservations();
    const queued = [];
    for (const { id, accountId: account, host, createdAt, isClaimed } of scans) {
      if (isClaimed) reserved.put({ id, account, host });
      else {
        const lastAdmission = this.#admissions.get(account) ?? 0;
        queued.push({ id, account, host, since: createdAt.getTime(), lastAdmission });
      }
    }
    const [next] = admit(queued, reserved, { ...limits, total: reserved.total + 1 });
    return scans.find(({ id }) => id === next);
  }
}
