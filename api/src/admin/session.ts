import { ApiError, type Plan, type Role } from "@glovebox/contract";
import * as z from "zod";
import { endSession, signOutEverywhere } from "../sign-in/end-session.ts";
import { permissionsOf, type AccountPermission } from "./permissions.ts";
import { NO_INPUT, accountOfCall, router, signedIn } from "./trpc.ts";

/** Who is signed in, and what that user may do in the account of the call. Dates are ISO 8601. */
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
  /** Null: the call names no account, or one that the user has no access to. */
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
  me: signedIn.input(NO_INPUT).query(async ({ ctx }): Promise<SignedInUser> => {
    const { user, memberships, hasSecondFactor } = ctx.session;
    const account = await accountOfCall(ctx);
    const role = account?.role;
    const { isAdministrator } = user;
    return {
      ...{ ...user, hasSecondFactor, memberships },
      account: account
        ? { id: account.id, name: account.name, plan: account.plan, role: role ?? null }
        : null,
      permissions: account || isAdministrator ? permissionsOf({ role, isAdministrator }) : [],
    };
  }),

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
