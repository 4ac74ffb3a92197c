import { hashSecret, newToken, actorOf, type User } from "@glovebox/store";
import type { Services } from "../deps.ts";
import type { HttpResponse } from "../http/respond.ts";
import { redirect } from "./layout.ts";
import { rememberBrowser } from "./known-browser.ts";
import type { PageRequest } from "./page.ts";
import { askForPasskey } from "./passkey-step.ts";
import { proofsOf } from "./proofs.ts";
import { sessionCookie } from "./sign-in-cookies.ts";

/** How far a sign-in has come. */
export interface SignedIn {
  readonly user: Pick<User, "id" | "email">;
  /** For the audit log: `password`, `invitation`, `passkey`, or the id of the provider. */
  readonly method: string;
  /** Where to go on. */
  readonly next: string;
  /** Cookies to set beside the session cookie. */
  readonly cookies?: readonly string[];
}

/** Goes on after the password or the provider: to the second factor of a user who has one, else with a new session. */
export async function signedIn(
  request: PageRequest,
  services: Services,
  to: SignedIn,
): Promise<HttpResponse> {
  const passkeys = await services.store.passkeys.list(to.user.id);
  if (passkeys.length > 0) return askForPasskey(request, services, { ...to, userId: to.user.id, passkeys });
  return startSession(request, services, { ...to, hasSecondFactor: false });
}

/**
 * Starts a session. The one before is ended, so that nobody goes on with a token that was there before the sign-in; if it was of
 * the same user, its account stays in view.
 */
export async function startSession(
  request: PageRequest,
  services: Services,
  { user, method, next, cookies = [], hasSecondFactor }: SignedIn & { hasSecondFactor: boolean },
): Promise<HttpResponse> {
  const { store, logger } = services;
  const token = newToken();
  const { ip = null, agent, session: before } = request;
  const accountId = before?.user.id === user.id ? before.accountId : null;
  const proofs = await proofsOf(services, user.id);
  // Who has nothing else to confirm with has just done so at the provider.
  const isConfirmed = !proofs.hasPassword && proofs.passkeys.length === 0;
  await store.changing(actorOf(user, request))(async ({ sessions }) => {
    if (before) await sessions.delete(before.user.id, before.sessionId);
    const session = { sha256: hashSecret(token), userId: user.id, accountId, ip, agent };
    await sessions.create({ ...session, hasSecondFactor, isConfirmed });
    return {
      result: undefined,
      entry: { action: "session.signIn", subject: user.email, after: { method, agent } },
    };
  });
  logger.info({ user: user.id }, "user signed in");
  const browser = await rememberBrowser(request, services, user.id);
  return redirect(next, [...cookies, sessionCookie(token), browser]);
}
