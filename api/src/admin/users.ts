import { ApiError, inputEmail } from "@glovebox/contract";
import { hashSecret, newToken, type Invitation, type Tables, type User, type UserRow } from "@glovebox/store";
import * as z from "zod";
import { signOutEverywhere } from "../sign-in/end-session.ts";
import type { NewInvitationItem } from "./account.ts";
import { invitationUrl } from "./invitation-url.ts";
import { dated, type DatesAsText } from "./lists.ts";
import { NO_INPUT, administer, router } from "./trpc.ts";

export interface OpenLinkItem extends DatesAsText<
  Pick<Invitation, "id" | "email" | "createdAt" | "expiresAt">
> {
  /** False: it makes an administrator. */
  readonly isForPassword: boolean;
}

const INVITATION_DAYS = 7;
const RESET_DAYS = 1;
const userId = z.uuid();

/** Every user, for administrators of the service. What takes a right away ends the sessions of the user. */
export const usersRouter = router({
  list: administer.input(NO_INPUT).query(async ({ ctx: { services } }): Promise<DatesAsText<UserRow>[]> => {
    const rows = await services.store.users.list();
    return rows.map(dated);
  }),

  setAdministrator: administer
    .input(z.strictObject({ userId, isAdministrator: z.boolean() }))
    .mutation(({ ctx: { change }, input: { userId: id, isAdministrator } }): Promise<null> =>
      change(async ({ users }) => {
        const user = isAdministrator ? await existing(users, id) : await dispensable(users, id);
        await users.setAdministrator(id, isAdministrator);
        const entry = { action: "user.setAdministrator", subject: user.email };
        const before = { isAdministrator: user.isAdministrator };
        return { result: null, entry: { ...entry, before, after: { isAdministrator } } };
      }),
    ),

  setDisabled: administer
    .input(z.strictObject({ userId, isDisabled: z.boolean() }))
    .mutation(({ ctx: { change }, input: { userId: id, isDisabled } }): Promise<null> =>
      change(async ({ users }) => {
        const user = isDisabled ? await dispensable(users, id) : await existing(users, id);
        await users.setDisabled(id, isDisabled);
        const entry = { action: isDisabled ? "user.disable" : "user.enable", subject: user.email };
        return { result: null, entry: { ...entry, before: { isDisabled: user.disabledAt !== null } } };
      }),
    ),

  /** Invites another administrator, who belongs to no account. */
  inviteAdministrator: administer
    .input(z.strictObject({ email: inputEmail }))
    .mutation(({ ctx: { services, session, change }, input: { email } }): Promise<NewInvitationItem> => {
      const token = newToken();
      const url = invitationUrl(services, token);
      return change(async ({ invitations }) => {
        const { id } = await invitations.create({
          ...{ sha256: hashSecret(token), email, isAdministrator: true, days: INVITATION_DAYS },
          createdBy: session.user.id,
        });
        return { result: { id, url }, entry: { action: "user.inviteAdministrator", subject: email } };
      });
    }),

  /** Open links that belong to no account: for administrators, and for new passwords. */
  invitations: administer.input(NO_INPUT).query(async ({ ctx: { services } }): Promise<OpenLinkItem[]> => {
    const rows = await services.store.invitations.list(null);
    return rows.map(({ id, email, userId, createdAt, expiresAt }) =>
      dated({ id, email, createdAt, expiresAt, isForPassword: userId !== null }),
    );
  }),

  withdrawInvitation: administer
    .input(z.strictObject({ id: z.uuid() }))
    .mutation(({ ctx: { change }, input: { id } }): Promise<null> =>
      change(async ({ invitations }) => {
        const withdrawn = await invitations.delete(id, null);
        if (!withdrawn) throw new ApiError("not_found", "No such invitation.");
        const subject = withdrawn.email ?? id;
        return { result: null, entry: { action: "user.withdrawInvitation", subject } };
      }),
    ),

  /** Ends every session of the user; returns how many. */
  signOutEverywhere: administer
    .input(z.strictObject({ userId }))
    .mutation(async ({ ctx: { services, actor }, input }): Promise<{ ended: number }> => {
      const user = await existing(services.store.users, input.userId);
      return { ended: await signOutEverywhere(services.store, actor, { user }) };
    }),

  /** A link by which the user sets a new password. The old one stays valid until then. */
  resetPassword: administer
    .input(z.strictObject({ userId }))
    .mutation(({ ctx: { services, session, change }, input }): Promise<NewInvitationItem> => {
      const token = newToken();
      const url = invitationUrl(services, token);
      return change(async ({ users, invitations }) => {
        const user = await existing(users, input.userId);
        const { id } = await invitations.create({
          ...{ sha256: hashSecret(token), email: user.email, userId: user.id, days: RESET_DAYS },
          createdBy: session.user.id,
        });
        return { result: { id, url }, entry: { action: "user.resetPassword", subject: user.email } };
      });
    }),
});

async function existing(users: Tables["users"], id: string): Promise<User> {
  const user = await users.findById(id);
  if (!user) throw new ApiError("not_found", "No such user.");
  return user;
}

/** @throws ApiError where nobody else could administer the service */
async function dispensable(users: Tables["users"], id: string): Promise<User> {
  const administrators = await users.lockAdministrators();
  if (administrators.length === 1 && administrators[0] === id)
    throw new ApiError("invalid_request", "is the last administrator who can sign in", { field: "userId" });
  return existing(users, id);
}
