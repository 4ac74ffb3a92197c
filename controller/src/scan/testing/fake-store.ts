import { isDeepStrictEqual } from "node:util";
import type { DeliveredOutcome } from "@glovebox/contract";
import type { Account, Adoption, AdoptResult, Binding, ScanOnRecord } from "@glovebox/store";

/** The rows of a store in memory; `adoptResult` is what adoptions come to. */
export class FakeStore {
  readonly rows = new Map<string, ScanOnRecord>();
  /** Those that were charged. */
  readonly adopted: Adoption[] = [];
  adoptResult: AdoptResult = "adopted";
  /** How often a row was asked for. */
  finds = 0;

  readonly accounts = {
    find: async (name: string): Promise<Account | undefined> =>
      name === "shop" ? { id: "1", name, plan: "free", owner: null, requestsPerMinute: null } : undefined,
  };

  readonly scans = {
    adopt: async (adoption: Adoption): Promise<AdoptResult> => {
      if (this.adoptResult !== "adopted") return this.adoptResult;
      this.adopted.push(adoption);
      this.rows.set(adoption.id, processing(adoption));
      return "adopted";
    },
    bind: async ({ id, url, specUrl, context, resource }: Binding): Promise<boolean> => {
      const row = this.rows.get(id);
      const asked = { url, specUrl: specUrl ?? null, context: context ?? null };
      if (row?.resourceUid !== null || !isDeepStrictEqual({ ...row, ...asked }, row)) return false;
      this.rows.set(id, { ...row, resourceUid: resource.uid });
      return true;
    },
  };

  readonly work = {
    find: async (id: string): Promise<ScanOnRecord | undefined> => {
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

const processing = ({ url, specUrl, context, resource }: Adoption): ScanOnRecord => ({
  resourceUid: resource.uid,
  status: "processing",
  url,
  specUrl: specUrl ?? null,
  context: context ?? null,
  score: null,
  grade: null,
  findings: 0,
  failure: null,
});

function endingOf(outcome: DeliveredOutcome): Partial<ScanOnRecord> {
  if (outcome.status === "failed") return outcome;
  const { score, grade, findings } = outcome.report;
  return { status: "completed", score, grade, findings };
}
