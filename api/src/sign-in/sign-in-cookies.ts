import type { IncomingHttpHeaders } from "node:http";
import { hashSecret, isToken, newToken, type Challenge, type Session, type Store } from "@glovebox/store";
import { clearCookie, readCookie, setCookie, type HostCookie } from "../http/cookies.ts";

const SESSION_COOKIE: HostCookie = { name: "__Host-glovebox", maxAgeSeconds: 30 * 24 * 3600 };

/** The value of Set-Cookie that gives a browser the token of its session. */
export const sessionCookie = (token: string): string => setCookie(SESSION_COOKIE, token);

/** The value of Set-Cookie that has a browser forget its session. */
export const noSessionCookie = (): string => clearCookie(SESSION_COOKIE);

/** The session of the request's cookie; undefined when nobody is signed in. */
export async function sessionOf(
  { cookie }: Pick<IncomingHttpHeaders, "cookie">,
  sessions: Pick<Store["sessions"], "find">,
): Promise<Session | undefined> {
  const token = readCookie(cookie, SESSION_COOKIE);
  return token !== undefined && isToken(token) ? sessions.find(hashSecret(token)) : undefined;
}

/** Gives the session another token; the value of Set-Cookie. */
export async function newSessionToken(
  { sessions }: Pick<Store, "sessions">,
  { sessionId }: Session,
  now: { readonly hasSecondFactor?: boolean; readonly isConfirmed?: boolean } = {},
): Promise<string> {
  const token = newToken();
  await sessions.rotate(sessionId, { sha256: hashSecret(token), ...now });
  return sessionCookie(token);
}

const CHALLENGE_COOKIE: HostCookie = { name: "__Host-glovebox-challenge", maxAgeSeconds: 600 };

/** Stores a challenge; the value of Set-Cookie binds it to the browser. */
export async function giveChallenge(store: Pick<Store, "passkeys">, challenge: Challenge): Promise<string> {
  const token = newToken();
  await store.passkeys.challenge(hashSecret(token), challenge);
  return setCookie(CHALLENGE_COOKIE, token);
}

/** The challenge of this browser, once. */
export async function takeChallenge(
  store: Pick<Store, "passkeys">,
  cookie: string | undefined,
  purpose: Challenge["purpose"],
): Promise<Challenge | undefined> {
  const token = readCookie(cookie, CHALLENGE_COOKIE);
  return token !== undefined && isToken(token)
    ? store.passkeys.takeChallenge(hashSecret(token), purpose)
    : undefined;
}

export const noChallenge = (): string => clearCookie(CHALLENGE_COOKIE);
