import { hashSecret, newToken } from "@glovebox/contract";
import type { Services } from "../deps.ts";
import type { Reply } from "../http/respond.ts";
import { redirect } from "./layout.ts";
import type { PageRequest } from "./page.ts";
import { askForPasskey } from "./passkey-step.ts";
import { sessionCookie } from "./session-cookie.ts";

/** How far a sign-in has come. */
export interface SignedIn {
  readonly userId: string;
  /** Where to go on. */
  readonly next: string;
  /** Cookies to set beside that of the session. */
  readonly cookies?: readonly string[];
}

/**
 * Goes on after the password or the provider: to the second factor of a user who has one, else with a new session. The session
 * of before is ended, so that nobody goes on with a token that was there before the sign-in.
 */
export async function signedIn(request: PageRequest, services: Services, user: SignedIn): Promise<Reply> {
  const { session } = request;
  if (session) await services.store.sessions.delete(session.user.id, session.sessionId);
  const passkeys = await services.store.passkeys.list(user.userId);
  if (passkeys.length > 0) return askForPasskey(request, services, { ...user, passkeys });
  return startSession(request, services, { ...user, hasSecondFactor: false });
}

export async function startSession(
  { ip, agent }: PageRequest,
  { store, logger }: Services,
  { userId, next, cookies = [], hasSecondFactor }: SignedIn & { hasSecondFactor: boolean },
): Promise<Reply> {
  const token = newToken();
  await store.sessions.create({ sha256: hashSecret(token), userId, ip: ip ?? null, agent, hasSecondFactor });
  logger.info({ user: userId }, "A user signed in");
  return redirect(next, [...cookies, sessionCookie(token)]);
}
