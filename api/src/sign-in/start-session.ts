import { hashSecret, newToken } from "@glovebox/contract";
import { actorOf, type User } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { Reply } from "../http/respond.ts";
import { redirect } from "./layout.ts";
import type { PageRequest } from "./page.ts";
import { askForPasskey } from "./passkey-step.ts";
import { sessionCookie } from "./sign-in-cookies.ts";

/** How far a sign-in has come. */
export interface SignedIn {
  readonly user: Pick<User, "id" | "email">;
  /** For the audit log: `password`, `invitation`, `passkey`, or the id of the provider. */
  readonly method: string;
  /** Where to go on. */
  readonly next: string;
  /** Cookies to set beside that of the session. */
  readonly cookies?: readonly string[];
}

/**
 * Goes on after the password or the provider: to the second factor of a user who has one, else with a new session. The session
 * of before is ended, so that nobody goes on with a token that was there before the sign-in.
 */
export async function signedIn(request: PageRequest, services: Services, to: SignedIn): Promise<Reply> {
  const { session } = request;
  if (session) await services.store.sessions.delete(session.user.id, session.sessionId);
  const passkeys = await services.store.passkeys.list(to.user.id);
  if (passkeys.length > 0) return askForPasskey(request, services, { ...to, userId: to.user.id, passkeys });
  return startSession(request, services, { ...to, hasSecondFactor: false });
}

export async function startSession(
  request: PageRequest,
  { store, logger }: Services,
  { user, method, next, cookies = [], hasSecondFactor }: SignedIn & { hasSecondFactor: boolean },
): Promise<Reply> {
  const token = newToken();
  const { ip = null, agent } = request;
  await store.changing(actorOf(user, request))(async ({ sessions }) => {
    await sessions.create({ sha256: hashSecret(token), userId: user.id, ip, agent, hasSecondFactor });
    return {
      result: undefined,
      entry: { action: "session.signIn", subject: user.email, after: { method, agent } },
    };
  });
  logger.info({ user: user.id }, "A user signed in");
  return redirect(next, [...cookies, sessionCookie(token)]);
}
