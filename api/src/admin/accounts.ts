import { ApiError, PLAN_NAMES, inputName } from "@glovebox/contract";
import type { Account, AccountRow, Tables } from "@glovebox/store";
import * as z from "zod";
import { dated, textFilter, type DatesAsText } from "./lists.ts";
import { administer, router } from "./trpc.ts";

const accountId = z.uuid();
const terms = {
  name: inputName,
  plan: z.enum(PLAN_NAMES),
  /** Null: as the plan has it. */
  requestsPerMinute: z.int().min(1).max(1_000_000).nullable(),
  scansPerMonth: z.int().min(0).max(1_000_000_000).nullable(),
  /** Its scans may write to their targets. */
  activeMode: z.boolean(),
};

/** Every account, for administrators of the service. */
export const accountsRouter = router({
  list: administer
    .input(
      z.strictObject({
        text: textFilter,
        limit: z.int().min(1).max(100).default(50),
        offset: z.int().min(0).max(1_000_000).default(0),
      }),
    )
    .query(async ({ ctx: { services }, input }): Promise<DatesAsText<AccountRow>[]> => {
      const rows = await services.store.accounts.list(input);
      return rows.map(dated);
    }),

  create: administer
    .input(z.strictObject(terms))
    .mutation(({ ctx: { change }, input }): Promise<{ id: string }> =>
      change(async ({ accounts }) => {
        const id = await accounts.create(input);
        if (id === undefined) throw nameTaken();
        return {
          result: { id },
          entry: { accountId: id, action: "account.create", subject: id, after: input },
        };
      }),
    ),

  /** Sets the name, the plan and the account's own limits. */
  update: administer
    .input(z.strictObject({ accountId, ...terms }))
    .mutation(({ ctx: { change }, input: { accountId: id, ...after } }): Promise<null> =>
      change(async ({ accounts }) => {
        const { name, plan, requestsPerMinute, scansPerMonth, activeMode } = await existing(accounts, id);
        if (!(await accounts.rename(id, after.name))) throw nameTaken();
        await accounts.setTerms(id, after);
        const before = { name, plan, requestsPerMinute, scansPerMonth, activeMode };
        return {
          result: null,
          entry: { accountId: id, action: "account.update", subject: id, before, after },
        };
      }),
    ),

  /** The keys of a suspended account are refused, it starts no scan, and its members can only read. */
  setSuspended: administer
    .input(z.strictObject({ accountId, isSuspended: z.boolean() }))
    .mutation(({ ctx: { change }, input: { accountId: id, isSuspended } }): Promise<null> =>
      change(async ({ accounts }) => {
        const before = { isSuspended: (await existing(accounts, id)).suspendedAt !== null };
        await accounts.setSuspended(id, isSuspended);
        const action = isSuspended ? "account.suspend" : "account.resume";
        const entry = { accountId: id, action, subject: id, before, after: { isSuspended } };
        return { result: null, entry: before.isSuspended === isSuspended ? null : entry };
      }),
    ),
});

const nameTaken = (): ApiError =>
  new ApiError("invalid_request", "already used by another account", { field: "name" });

async function existing(accounts: Tables["accounts"], id: string): Promise<Account> {
  const account = await accounts.findById(id);
  if (!account) throw new ApiError("not_found", "No such account.");
  return account;
}
