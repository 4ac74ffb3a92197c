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
  type Report,
} from "@glovebox/contract";
import { diffOf, markInForce, placeName, rescore, type Difference, type Mark } from "@glovebox/domain";
import { type FindingRecord, type FoundScan, type ScanRow } from "@glovebox/store";
import * as z from "zod";
import type { Services } from "../deps.ts";
import { listed, page, textFilter, type DatesAsText, type ListOf } from "./lists.ts";
import { can, router } from "./trpc.ts";

export type ScanItem = DatesAsText<FoundScan>;

interface Scored {
  readonly score: number;
  readonly grade: Grade;
}

/** The score of a scan both ways, and what was decided about its findings. */
export interface ScanTriage {
  readonly reported: Scored;
  /** Without what is accepted or a false positive. */
  readonly withoutMarked: Scored;
  /** By the ids of findings in the report. */
  readonly marks: Readonly<Record<string, Mark>>;
  /** The records of the findings of the report and their status now, by their ids in the report. */
  readonly records: Readonly<Record<string, FindingRecord>>;
}

/** What became of one place of a finding from one scan to the next. */
export interface DifferenceItem
  extends
    Pick<Difference, "is" | "detail" | "isWorse">,
    Pick<Instance, "id" | "check" | "category" | "title"> {
  readonly severity: Instance["severity"];
  readonly place: string;
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
    .query(async ({ ctx: { account, services }, input }): Promise<ListOf<ScanItem>> =>
      listed(await services.store.scanSearch.list(account.id, input)),
    ),

  triage: can("findings:read")
    .input(z.strictObject({ id: scanId }))
    .query(async ({ ctx: { account, services }, input }): Promise<ScanTriage> => {
      const { report } = await completedScan(services, account.id, input.id);
      const { findings } = services.store;
      const marks = await findings.marksOf(account.id, input.id);
      const ids = report.findings.map(({ id }) => id);
      const records = await findings.recordsOf(account.id, input.id, ids);
      const now = services.now();
      const isCounted = ({ id }: { readonly id: string }) => !markInForce(marks, id, now);
      const { score, grade } = rescore(report, isCounted);
      return {
        reported: { score: report.score, grade: report.grade },
        withoutMarked: { score, grade },
        marks: Object.fromEntries(marks),
        records: Object.fromEntries(records),
      };
    }),

  /** Two scans of one target, whatever their order. */
  compare: can("scans:read")
    .input(z.strictObject({ ids: z.tuple([scanId, scanId]) }))
    .query(async ({ ctx: { account, services }, input }): Promise<ScanComparison> => {
      const scans = await Promise.all(input.ids.map((id) => completedScan(services, account.id, id)));
      const [older, newer] = scans.toSorted((a, b) => +a.row.createdAt - +b.row.createdAt) as [Read, Read];
      if (older.row.url !== newer.row.url)
        throw new ApiError("invalid_request", "must be scans of one target", { field: "ids" });
      const differences = diffOf(older.report, newer.report);
      const counts = Object.fromEntries(
        [...Map.groupBy(differences, ({ is }) => is)].map(([is, all]) => [is, all.length]),
      );
      return {
        older: briefOf(older),
        newer: briefOf(newer),
        counts,
        differences: differences
          .toSorted((a, b) => rank(a) - rank(b))
          .slice(0, MAX_DIFFERENCES)
          .map(itemOf),
      };
    }),
});

interface Read {
  readonly row: ScanRow;
  readonly report: Report;
}

const completedScan = ({ store, reportReads }: Services, accountId: string, id: string): Promise<Read> =>
  reportReads.run(accountId, async () => {
    const row = await store.scans.get(accountId, id);
    if (!row) throw new ApiError("not_found", "not found", { field: "id" });
    const { reportJson } = row;
    if (typeof reportJson !== "string")
      throw new ApiError("invalid_request", "is a scan without a report", { field: "id" });
    return { row, report: JSON.parse(reportJson) as Report };
  });

const briefOf = ({ row, report }: Read): ScanItemBrief => ({
  ...{ id: row.id, createdAt: row.createdAt.toISOString() },
  ...{ score: report.score, grade: report.grade },
});

const ORDER: readonly Difference["is"][] = ["new", "changed", "fixed", "not retested", "unchanged"];
const rank = ({ is }: Difference): number => ORDER.indexOf(is);

function itemOf({ instance, ...difference }: Difference): DifferenceItem {
  const { id, check, category, title, severity, location } = instance;
  return { ...difference, id, check, category, title, severity, place: placeName(location) };
}
