import {
  FINDING_SORTS,
  ApiError,
  CATEGORY_KEYS,
  SEVERITIES,
  inputText,
  type Finding,
} from "@glovebox/contract";
import {
  DECISIONS,
  FINDING_STATUSES,
  MAX_ACCEPTANCE_DAYS,
  decisionRequestSchema,
  expiryProblem,
} from "@glovebox/domain";
import { MAX_DECIDED, type FindingRow, type HistoryEntry } from "@glovebox/store";
import * as z from "zod";
import { dated, listed, page, textFilter, type DatesAsText, type ListOf } from "./lists.ts";
import { can, router, type AccountInView } from "./trpc.ts";

export type FindingItem = DatesAsText<FindingRow>;
export interface FindingDetail extends FindingItem {
  /** Oldest first. */
  readonly history: DatesAsText<HistoryEntry>[];
}
export interface DecisionPreview {
  /** Findings that match the filter. */
  readonly matching: number;
  /** Of these, those that the decision would change. */
  readonly changing: number;
  /** The maximum number of findings of one decision; where more match, `matching` is a number above it. */
  readonly most: number;
  readonly sample: FindingItem[];
}

const id = z.int().min(1);
const filter = z.strictObject({
  status: z.array(z.enum(FINDING_STATUSES)).max(FINDING_STATUSES.length).optional(),
  severity: z.array(z.enum(SEVERITIES)).max(SEVERITIES.length).optional(),
  category: z.enum(CATEGORY_KEYS).optional(),
  check: inputText.max(200).optional(),
  target: id.optional(),
  text: textFilter,
  ids: z.array(id).max(MAX_DECIDED).optional(),
});

export const findingsRouter = router({
  list: can("findings:read")
    .input(z.strictObject({ ...filter.shape, ...page, sort: z.enum(FINDING_SORTS).optional() }))
    .query(async ({ ctx: { account, services }, input }): Promise<ListOf<FindingItem>> =>
      listed(await services.store.findings.list(account.id, input)),
    ),

  get: can("findings:read")
    .input(z.strictObject({ id }))
    .query(async ({ ctx: { account, services }, input }): Promise<FindingDetail> => {
      const found = await services.store.findings.get(account.id, input.id);
      if (!found) throw new ApiError("not_found", "not found", { field: "id" });
      const { history, ...finding } = found;
      return { ...dated(finding), history: history.map(dated) };
    }),

  /** The finding in the report of the last scan that saw it, with its evidence; null once that report is deleted. */
  proof: can("findings:read")
    .input(z.strictObject({ id }))
    .query(async ({ ctx: { account, services }, input }): Promise<Finding | null> => {
      const { store, reports } = services;
      const found = await store.findings.get(account.id, input.id);
      if (!found) throw new ApiError("not_found", "not found", { field: "id" });
      const { lastScanId, findingId } = found;
      if (!(await store.scans.find(account.id, lastScanId))) return null;
      return reports.run(account.id, "finding", async () => {
        const report = (await store.scans.get(account.id, lastScanId))?.packedReport ?? null;
        return { report, id: findingId };
      });
    }),

  /** What a decision about all that match would change. */
  preview: can("findings:triage")
    .input(z.strictObject({ filter, event: z.enum(DECISIONS) }))
    .query(async ({ ctx: { account, services }, input }): Promise<DecisionPreview> => {
      const preview = await services.store.findings.preview(account.id, input.filter, input.event);
      return { ...preview, most: MAX_DECIDED, sample: preview.sample.map(dated) };
    }),

  /** Decides about all that match, if their number is the same as in the preview. */
  decide: can("findings:triage")
    .input(z.strictObject({ filter, decision: decisionRequestSchema, matching: z.int().min(1) }))
    .mutation(async ({ ctx: { account, services, actor }, input }): Promise<{ changed: number }> => {
      const { decision, matching } = input;
      const problem = expiryProblem(decision, { at: services.now(), maxDays: maxDaysOf(account) });
      if (problem !== undefined) throw new ApiError("invalid_request", problem, { field: "expiresAt" });
      const ids = await services.store.findings.idsOf(account.id, input.filter);
      if (ids.length > MAX_DECIDED)
        throw new ApiError("invalid_request", `must match ${MAX_DECIDED} findings at most`, {
          field: "filter",
        });
      if (ids.length !== matching)
        throw new ApiError("invalid_request", `is ${ids.length} now; check the preview again`, {
          field: "matching",
        });
      return { changed: await services.store.findings.decide(account.id, ids, { decision, actor }) };
    }),
});

/** Who has no role in the account and may decide is an administrator. */
const maxDaysOf = ({ role }: AccountInView): number =>
  role === "member" ? MAX_ACCEPTANCE_DAYS.member : MAX_ACCEPTANCE_DAYS.owner;
