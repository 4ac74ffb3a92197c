import {
  SCAN_SORTS,
  ApiError,
  CONTEXTS,
  GRADES,
  SCAN_ID_PATTERN,
  STATUSES,
  inputMoment,
  type Grade,
  type Instance,
} from "@glovebox/contract";
import { marksInForce, locationName, type Difference, type Mark } from "@glovebox/domain";
import { type FindingRecord, type ScanListItem, type ScanRow } from "@glovebox/store";
import * as z from "zod";
import type { Services } from "../deps.ts";
import { listed, page, textFilter, type DatesAsText, type ListOf } from "./lists.ts";
import { can, router } from "./trpc.ts";

interface Scored {
  readonly score: number;
  readonly grade: Grade;
}

/** What was decided about the findings of a scan. */
export interface ScanTriage {
  /** Those in force, by the ids of findings in the report. */
  readonly marks: Readonly<Record<string, Mark>>;
  /** The records of the findings of the report and their status now, by their ids in the report. */
  readonly records: Readonly<Record<string, FindingRecord>>;
}

/** What became of one location of a finding from one scan to the next. */
export interface DifferenceItem
  extends
    Pick<Difference, "is" | "detail" | "isWorse">,
    Pick<Instance, "id" | "check" | "category" | "title"> {
  readonly severity: Instance["severity"];
  readonly location: string;
}

export interface ScanComparison {
  readonly older: ScanItemBrief;
  readonly newer: ScanItemBrief;
  /** How many there are of each kind. */
  readonly counts: Readonly<Partial<Record<Difference["is"], number>>>;
  /** At most `MAX_DIFFERENCES`: what is new and changed first. */
  readonly differences: DifferenceItem[];
}

interface ScanItemBrief extends Scored {
  readonly id: string;
  readonly createdAt: string;
}

const MAX_DIFFERENCES = 2_000;
const scanId = z.string().regex(SCAN_ID_PATTERN);

export const scansRouter = router({
  search: can("scans:read")
    .input(
      z.strictObject({
        ...page,
        status: z.enum(STATUSES).optional(),
        grade: z.enum(GRADES).optional(),
        context: z.enum(CONTEXTS).optional(),
        target: z.int().min(1).optional(),
        text: textFilter,
        from: inputMoment().optional(),
        until: inputMoment().optional(),
        sort: z.enum(SCAN_SORTS).optional(),
      }),
    )
    .query(async ({ ctx: { account, services }, input }): Promise<ListOf<DatesAsText<ScanListItem>>> =>
      listed(await services.store.scanSearch.list(account.id, input)),
    ),

  triage: can("findings:read")
    .input(z.strictObject({ id: scanId }))
    .query(async ({ ctx: { account, services }, input }): Promise<ScanTriage> => {
      await completedScan(services, account.id, input.id);
      const { findings } = services.store;
      const marks = await findings.marksOf(account.id, input.id);
      const records = await findings.recordsOf(account.id, input.id);
      return {
        marks: Object.fromEntries(marksInForce(marks, services.now())),
        records: Object.fromEntries(records),
      };
    }),

  /** Two scans of one target, in any order. */
  compare: can("scans:read")
    .input(z.strictObject({ ids: z.tuple([scanId, scanId]) }))
    .query(async ({ ctx: { account, services }, input }): Promise<ScanComparison> => {
      const scans = await Promise.all(input.ids.map((id) => completedScan(services, account.id, id)));
      const [older, newer] = scans.toSorted((a, b) => +a.createdAt - +b.createdAt) as [ScanRow, ScanRow];
      if (older.url !== newer.url)
        throw new ApiError("invalid_request", "must be scans of the same target", { field: "ids" });
      const { counts, differences } = await services.reports.run(account.id, "compare", async () => ({
        older: await reportOf(services, older),
        newer: await reportOf(services, newer),
        max: MAX_DIFFERENCES,
      }));
      return {
        ...{ older: briefOf(older), newer: briefOf(newer) },
        ...{ counts, differences: differences.map(itemOf) },
      };
    }),
});

async function completedScan({ store }: Services, accountId: string, id: string): Promise<ScanRow> {
  const row = await store.scans.find(accountId, id);
  if (!row) throw new ApiError("not_found", "not found", { field: "id" });
  if (row.status !== "completed")
    throw new ApiError("invalid_request", "the scan has no report", { field: "id" });
  return row;
}

async function reportOf({ store }: Services, { accountId, id }: ScanRow): Promise<Uint8Array> {
  const report = (await store.scans.get(accountId, id))?.packedReport;
  if (!report) throw new ApiError("not_found", "not found", { field: "id" });
  return report;
}

const briefOf = ({ id, createdAt, score, grade }: ScanRow): ScanItemBrief => ({
  ...{ id, createdAt: createdAt.toISOString() },
  ...{ score: score!, grade: grade! },
});

function itemOf({ instance, ...difference }: Difference): DifferenceItem {
  const { id, check, category, title, severity, location } = instance;
  return { ...difference, id, check, category, title, severity, location: locationName(location) };
}
