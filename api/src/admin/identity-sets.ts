import { ApiError, MAX_IDENTITY_SETS, SCAN_FIELDS, inputName, readTargetUrl } from "@glovebox/contract";
import type { IdentitySetRow } from "@glovebox/store";
import * as z from "zod";
import { requireIdentities } from "../identities/identity-source.ts";
import { pastedIdentities } from "../identities/pasted-identities.ts";
import { dated, type DatesAsText } from "./lists.ts";
import { NO_INPUT, can, router } from "./trpc.ts";

/** A saved set: names, and never a value. */
export type IdentitySetItem = DatesAsText<IdentitySetRow>;

/** The target of an address. */
const originOf = SCAN_FIELDS.url.transform((text, context) => {
  const url = readTargetUrl(text, "https or http");
  if (typeof url !== "string") return url.origin;
  context.addIssue(url);
  return z.NEVER;
});

export const identitySetsRouter = router({
  list: can("identities:read")
    .input(NO_INPUT)
    .query(async ({ ctx: { account, services } }): Promise<IdentitySetItem[]> => {
      const rows = await services.store.identitySets.list(account.id);
      return rows.map(dated);
    }),

  /** For the target of the URL. Replaces the set of the same name. */
  save: can("identities:write")
    .input(z.strictObject({ name: inputName, url: originOf, identities: pastedIdentities }))
    .mutation(({ ctx: { account, services, change }, input }): Promise<IdentitySetItem> => {
      requireIdentities(services, account.plan);
      const { name, url: origin, identities: file } = input;
      return change(async ({ identitySets }) => {
        const saved = await identitySets.save(account.id, { name, origin }, file);
        if (!saved) throw tooMany();
        const entry = { action: "identitySet.save", subject: name, after: auditedSet(saved) };
        return { result: dated(saved), entry };
      });
    }),

  delete: can("identities:write")
    .input(z.strictObject({ id: z.uuid() }))
    .mutation(({ ctx: { account, change }, input: { id } }) =>
      change(async ({ identitySets }) => {
        const deleted = await identitySets.delete(account.id, id);
        if (!deleted) throw new ApiError("not_found", "not found", { field: "id" });
        const entry = { action: "identitySet.delete", subject: deleted.name, before: auditedSet(deleted) };
        return { result: {}, entry };
      }),
    ),
});

const auditedSet = ({ id, origin, summary }: IdentitySetRow) => ({ id, origin, identities: summary });

const tooMany = (): ApiError =>
  new ApiError("invalid_request", `The account has ${MAX_IDENTITY_SETS} saved sets; delete one first.`);
