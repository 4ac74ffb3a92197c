import {
  ApiError,
  PLANS,
  ROLES,
  inputEmail,
  inputName,
  type Plan,
  type PlanLimits,
  type Role,
} from "@glovebox/contract";
import { hashSecret, newToken, type Invitation, type MemberRow, type Tables } from "@glovebox/store";
import * as z from "zod";
import { invitationUrl } from "./invitation-url.ts";
import { dated, type DatesAsText } from "./lists.ts";
import { NO_INPUT, can, router } from "./trpc.ts";

export interface AccountItem extends PlanLimits {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Its keys are refused, and nothing of it can be changed. */
  readonly isSuspended: boolean;
  /** Whether its scans may write to their targets: the operator allows it. */
  readonly activeMode: boolean;
  /** Whether this installation sends webhooks; whether the plan includes them is in `features`. */
  readonly sendsWebhooks: boolean;
  /** Whether this installation can store identities; whether the plan includes them is in `features`. */
  readonly storesIdentities: boolean;
}

export interface InvitationItem extends DatesAsText<
  Pick<Invitation, "id" | "email" | "role" | "createdAt" | "expiresAt">
> {}

export interface NewInvitationItem {
  readonly id: string;
  /** The one time that the link is shown: it is to be given to the person invited. */
  readonly url: string;
}

const INVITATION_DAYS = 7;
const role = z.enum(ROLES);

/** The account in view, its members and invitations. */
export const accountRouter = router({
  get: can("usage:read")
    .input(NO_INPUT)
    .query(({ ctx: { account, services } }): AccountItem => {
      const { id, plan, requestsPerMinute, scansPerMonth, activeMode, suspendedAt } = account;
      const limits: PlanLimits = PLANS[plan];
      return {
        ...{ id, name: account.name, plan, ...limits },
        requestsPerMinute: requestsPerMinute ?? limits.requestsPerMinute,
        scansPerMonth: scansPerMonth ?? limits.scansPerMonth,
        activeMode,
        isSuspended: suspendedAt !== null,
        sendsWebhooks: services.settings.webhooks,
        storesIdentities: services.store.identities.isAvailable,
      };
    }),

  rename: can("account:write")
    .input(z.strictObject({ name: inputName }))
    .mutation(({ ctx: { account, change }, input }): Promise<null> =>
      change(async ({ accounts }) => {
        if (!(await accounts.rename(account.id, input.name)))
          throw new ApiError("invalid_request", "already used by another account", { field: "name" });
        const before = { name: account.name };
        return {
          result: null,
          entry: { action: "account.rename", subject: account.id, before, after: input },
        };
      }),
    ),

  members: can("members:read")
    .input(NO_INPUT)
    .query(async ({ ctx: { account, services } }): Promise<DatesAsText<MemberRow>[]> => {
      const rows = await services.store.members.list(account.id);
      return rows.map(dated);
    }),

  /** Signs the member out everywhere: a role holds from the next sign-in on. */
  setRole: can("members:write")
    .input(z.strictObject({ userId: z.uuid(), role }))
    .mutation(({ ctx: { account, change }, input }): Promise<null> =>
      change(async (tables) => {
        const before = await lockedMember(tables, account.id, input.userId);
        if (before.role === input.role) return { result: null, entry: null };
        await requireOtherOwner(tables, account.id, before);
        await tables.users.setRole(input.userId, account.id, input.role);
        const entry = { action: "member.setRole", subject: before.email };
        return {
          result: null,
          entry: { ...entry, before: { role: before.role }, after: { role: input.role } },
        };
      }),
    ),

  /** Also ends the sessions of the user. */
  removeMember: can("members:write")
    .input(z.strictObject({ userId: z.uuid() }))
    .mutation(({ ctx: { account, change }, input }): Promise<null> =>
      change(async (tables) => {
        const member = await lockedMember(tables, account.id, input.userId);
        await requireOtherOwner(tables, account.id, member);
        await tables.users.removeFromAccount(input.userId, account.id);
        const before = { role: member.role };
        return { result: null, entry: { action: "member.remove", subject: member.email, before } };
      }),
    ),

  invitations: can("members:write")
    .input(NO_INPUT)
    .query(async ({ ctx: { account, services } }): Promise<InvitationItem[]> => {
      const rows = await services.store.invitations.list(account.id);
      return rows.map(({ id, email, role, createdAt, expiresAt }) =>
        dated({ id, email, role, createdAt, expiresAt }),
      );
    }),

  invite: can("members:write")
    .input(z.strictObject({ email: inputEmail, role }))
    .mutation(({ ctx: { account, services, session, change }, input }): Promise<NewInvitationItem> => {
      const token = newToken();
      const url = invitationUrl(services, token);
      return change(async ({ invitations }) => {
        const { id } = await invitations.create({
          ...{ sha256: hashSecret(token), email: input.email, days: INVITATION_DAYS },
          membership: { accountId: account.id, role: input.role },
          createdBy: session.user.id,
        });
        const after = { id, role: input.role };
        return { result: { id, url }, entry: { action: "member.invite", subject: input.email, after } };
      });
    }),

  withdrawInvitation: can("members:write")
    .input(z.strictObject({ id: z.uuid() }))
    .mutation(({ ctx: { account, change }, input }): Promise<null> =>
      change(async ({ invitations }) => {
        const withdrawn = await invitations.delete(input.id, account.id);
        if (!withdrawn) throw new ApiError("not_found", "No such invitation.");
        const subject = withdrawn.email ?? input.id;
        return { result: null, entry: { action: "member.withdrawInvitation", subject } };
      }),
    ),
});

async function lockedMember(
  { accounts, members }: Pick<Tables, "accounts" | "members">,
  accountId: string,
  userId: string,
): Promise<MemberRow> {
  await accounts.lock(accountId);
  const found = (await members.list(accountId)).find((each) => each.userId === userId);
  if (!found) throw new ApiError("not_found", "No such member.");
  return found;
}

/** An account keeps an owner who can sign in; only an administrator could give it another one. */
async function requireOtherOwner(
  { members }: Pick<Tables, "members">,
  accountId: string,
  { userId, role: held }: MemberRow,
): Promise<void> {
  if (held !== ("owner" satisfies Role)) return;
  const others = (await members.list(accountId)).filter((each) => each.userId !== userId);
  if (!others.some((each) => each.role === "owner" && !each.isDisabled))
    throw new ApiError("invalid_request", "The account needs another owner first.");
}
