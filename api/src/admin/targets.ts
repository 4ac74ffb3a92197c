import { TARGET_SORTS, ApiError, GRADES, STATUSES } from "@glovebox/contract";
import { type Overview, type TargetDetail, type TargetRow } from "@glovebox/store";
import * as z from "zod";
import { dated, listed, page, textFilter, type DatesAsText, type ListOf } from "./lists.ts";
import { NO_INPUT, can, router } from "./trpc.ts";

export const targetsRouter = router({
  list: can("findings:read")
    .input(
      z.strictObject({
        ...page,
        text: textFilter,
        grade: z.enum(GRADES).optional(),
        status: z.enum(STATUSES).optional(),
        sort: z.enum(TARGET_SORTS).optional(),
      }),
    )
    .query(async ({ ctx: { account, services }, input }): Promise<ListOf<DatesAsText<TargetRow>>> =>
      listed(await services.store.targets.list(account.id, input)),
    ),

  /** With the trend of its score and its findings, and the time to fix. */
  get: can("findings:read")
    .input(z.strictObject({ id: z.int().min(1) }))
    .query(async ({ ctx: { account, services }, input }): Promise<DatesAsText<TargetDetail>> => {
      const found = await services.store.targets.get(account.id, input.id);
      if (!found) throw new ApiError("not_found", "not found", { field: "id" });
      return dated(found);
    }),
});

export const overviewRouter = router({
  /** What needs attention. */
  get: can("findings:read")
    .input(NO_INPUT)
    .query(({ ctx: { account, services } }): Promise<Overview> => services.store.overview.get(account.id)),
});
