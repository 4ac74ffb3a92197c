import type { AuditEntry, AuditFilter } from "@glovebox/store";
import * as z from "zod";
import { dated, type DatesAsText } from "./lists.ts";
import { administer, can, router } from "./trpc.ts";

/** Newest first. The next page is older than the last item of this one. */
const auditQuery = z.strictObject({
  /** The beginning of an action, such as `key.`. */
  action: z
    .string()
    .regex(/^[\w.]{1,50}$/)
    .optional(),
  olderThan: z.int().min(1).optional(),
  limit: z.int().min(1).max(100).default(50),
});

export const auditRouter = router({
  list: can("audit:read")
    .input(auditQuery)
    .query(async ({ ctx: { account, services }, input }): Promise<DatesAsText<AuditEntry>[]> => {
      const entries = await services.store.audit.list(account.id, filterOf(input));
      return entries.map(dated);
    }),

  /** Of all accounts, and of what concerns none. */
  listAll: administer
    .input(auditQuery)
    .query(async ({ ctx: { services }, input }): Promise<DatesAsText<AuditEntry>[]> => {
      const entries = await services.store.audit.list(undefined, filterOf(input));
      return entries.map(dated);
    }),
});

const filterOf = ({ olderThan, ...query }: z.output<typeof auditQuery>): AuditFilter => ({
  ...query,
  before: olderThan,
});
