import { isDeepStrictEqual } from "node:util";
import type { DeliveredOutcome } from "@glovebox/scan-run";
import type { NotedWrite, Resumption } from "@glovebox/contract";
import type { AdoptResult, ResourceScan, ScanRow } from "@glovebox/store";

const SHOP = { id: "1", name: "shop" };

/** The rows of a store in memory, with the account `shop` alone. */
export class FakeStore {
  readonly rows = new Map<string, ScanRow>();
  /** Those that were charged. */
  readonly adopted: ResourceScan[] = [];
  /** The account has used its scans of the month up. */
  isQuotaUsedUp = false;
  /** The account may scan in active mode. */
  mayWrite = false;
  /** How often a row was asked for. */
  finds = 0;

  readonly scans = {
    adopt: async (adoption: ResourceScan): Promise<AdoptResult> => {
      if (adoption.accountName !== SHOP.name) return { outcome: "unknownAccount" };
      if (adoption.mode === "active" && !this.mayWrite) return { outcome: "activeModeForbidden" };
      if (this.isQuotaUsedUp) return { outcome: "quotaExceeded", plan: "free", scansPerMonth: 3 };
      this.adopted.push(adoption);
      const { id, url, specUrl = null, context = null, mode, uid } = adoption;
      const asked = { url, specUrl, context, mode: mode === "active" ? mode : null };
      this.rows.set(id, { ...processingRow(id), ...asked, resourceUid: uid });
      return { outcome: "adopted" };
    },
    bind: async (binding: ResourceScan): Promise<boolean> => {
      const { id, url, specUrl, context, mode, uid } = binding;
      const row = this.rows.get(id);
      const asked = {
        url,
        specUrl: specUrl ?? null,
        context: context ?? null,
        mode: mode === "active" ? mode : null,
      };
      if (row?.resourceUid !== null || !isDeepStrictEqual({ ...row, ...asked }, row)) return false;
      this.rows.set(id, { ...row, resourceUid: uid });
      return true;
    },
  };

  /** What was noted of the writes of each scan. */
  readonly noted = new Map<string, NotedWrite[]>();
  readonly scanWrites = {
    note: async (id: string, writes: readonly NotedWrite[]): Promise<void> =>
      void this.noted.set(id, [...(this.noted.get(id) ?? []), ...writes]),
    resumptionOf: async (id: string): Promise<Resumption | undefined> =>
      this.rows.get(id)?.mode === "active"
        ? { seed: "seed".repeat(8), writes: this.noted.get(id) ?? [] }
        : undefined,
  };

  readonly work = {
    find: async (id: string): Promise<ScanRow | undefined> => {
      this.finds++;
      return this.rows.get(id);
    },
    record: async (id: string, outcome: DeliveredOutcome): Promise<boolean> => {
      const row = this.rows.get(id);
      if (row?.status !== "processing") return false;
      this.rows.set(id, { ...row, ...endingOf(outcome) });
      return true;
    },
  };
}

/** A scan that was accepted and belongs to no Scan resource yet. */
export const processingRow = (id: string): ScanRow => ({
  ...{ id, accountId: SHOP.id, url: "https://api.shop.example/", specUrl: null, context: null },
  ...{ include: null, exclude: null, identityNames: null, mode: null },
  ...{ status: "processing", createdAt: new Date(0), endedAt: null, progress: { done: 0, planned: 0 } },
  ...{ score: null, grade: null, findingsCount: 0, failure: null, attempts: 0, resourceUid: null },
});

function endingOf(outcome: DeliveredOutcome): Partial<ScanRow> {
  if (outcome.status === "failed") return outcome;
  const { score, grade, findings } = outcome.report;
  return { status: "completed", score, grade, findingsCount: findings };
}
