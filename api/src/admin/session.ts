import { ApiError, type Plan, type Role } from "@glovebox/contract";
import * as z from "zod";
import { endSession, signOutEverywhere } from "../sign-in/end-session.ts";
import { permissionsOf, type AccountPermission } from "./permissions.ts";
import { NO_INPUT, router, signedIn } from "./trpc.ts";

/** Who is signed in, and what that user may do in the account in view. Dates are ISO 8601. */
export interface SignedInUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isAdministrator: boolean;
  readonly hasSecondFactor: boolean;
  readonly memberships: readonly {
    readonly accountId: string;
    readonly accountName: string;
    readonly plan: Plan;
    readonly role: Role;
  }[];
  /** Null: no account is in view. */
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly plan: Plan;
    readonly role: Role | null;
  } | null;
  readonly permissions: readonly AccountPermission[];
}

export interface SessionItem {
  readonly id: string;
  readonly isCurrent: boolean;
  readonly createdAt: string;
  readonly seenAt: string;
  readonly expiresAt: string;
  readonly ip: string | null;
  readonly agent: string | null;
}

export const sessionRouter = router({
  me: signedIn.input(NO_INPUT).query(async ({ ctx: { session, services } }): Promise<SignedInUser> => {
    const { user, memberships, accountId, hasSecondFactor } = session;
    const account = accountId === null ? undefined : await services.store.accounts.findById(accountId);
    const role = memberships.find((each) => each.accountId === account?.id)?.role;
    const { isAdministrator } = user;
    return {
      ...{ ...user, hasSecondFactor, memberships },
      account: account
        ? { id: account.id, name: account.name, plan: account.plan, role: role ?? null }
        : null,
      permissions: account || isAdministrator ? permissionsOf({ role, isAdministrator }) : [],
    };
  }),

  /** Puts another account of the user into view, in this session. */
  selectAccount: signedIn
    .input(z.strictObject({ accountId: z.uuid() }))
    .mutation(({ ctx: { session, services, actor }, input: { accountId } }) =>
      services.store.changing(
        actor,
        accountId,
      )(async ({ sessions }) => {
        if (!(await sessions.selectAccount(session.sessionId, accountId)))
          throw new ApiError("not_found", "not found", { field: "accountId" });
        const before = { accountId: session.accountId };
        return {
          result: {},
          entry: {
            action: "session.selectAccount",
            subject: session.user.email,
            before,
            after: { accountId },
          },
        };
      }),
    ),

  list: signedIn.input(NO_INPUT).query(async ({ ctx: { session, services } }): Promise<SessionItem[]> => {
    const rows = await services.store.sessions.list(session.user.id);
    return rows.map(({ id, createdAt, seenAt, expiresAt, ip, agent }) => ({
      ...{ id, ip, agent, isCurrent: id === session.sessionId },
      createdAt: createdAt.toISOString(),
      seenAt: seenAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    }));
  }),

  end: signedIn
    .input(z.strictObject({ sessionId: z.uuid() }))
    .mutation(async ({ ctx: { session, services, actor }, input: { sessionId } }) => {
      if (!(await endSession(services.store, actor, { user: session.user, sessionId })))
        throw new ApiError("not_found", "not found", { field: "sessionId" });
      return {};
    }),

  /** Ends every session of the user but this one; returns how many. */
  signOutEverywhere: signedIn.input(NO_INPUT).mutation(async ({ ctx: { session, services, actor } }) => {
    const { user, sessionId: except } = session;
    return { ended: await signOutEverywhere(services.store, actor, { user, except }) };
  }),
});
