import type { Actor, Store, User } from "@glovebox/store";

type SignedInUser = Pick<User, "id" | "email">;
type Changes = Pick<Store, "changing">;

/** Ends one session of the user, with an entry in the audit log; false: the user has no such session. */
export const endSession = (
  { changing }: Changes,
  actor: Actor,
  { user, sessionId }: { readonly user: SignedInUser; readonly sessionId: string },
): Promise<boolean> =>
  changing(actor)(async ({ sessions }) => {
    const isEnded = await sessions.delete(user.id, sessionId);
    return { result: isEnded, entry: isEnded ? { action: "session.end", subject: user.email } : null };
  });

/** Ends every session of the user, except the one given, with an entry in the audit log; returns how many. */
export const signOutEverywhere = (
  { changing }: Changes,
  actor: Actor,
  { user, except }: { readonly user: SignedInUser; readonly except?: string },
): Promise<number> =>
  changing(actor)(async ({ sessions }) => {
    const ended = await sessions.deleteAllOfUser(user.id, except);
    const entry = { action: "session.signOutEverywhere", subject: user.email, after: { ended } };
    return { result: ended, entry };
  });
