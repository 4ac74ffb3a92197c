import type { DailyUsage, Usage } from "@glovebox/store";
import * as z from "zod";
import { can, router } from "./trpc.ts";

export interface AccountUsage extends Usage {
  readonly days: readonly DailyUsage[];
}

export const usageRouter = router({
  /** The use of the plan in this month, and the scans of each of the last days. */
  get: can("usage:read")
    .input(z.strictObject({ days: z.int().min(1).max(92).default(30) }))
    .query(async ({ ctx: { account, services }, input }): Promise<AccountUsage> => {
      const { usage } = services.store;
      const [month, days] = await Promise.all([
        usage.ofMonth(account.id),
        usage.perDay(account.id, input.days),
      ]);
      return { ...month, days };
    }),
});
