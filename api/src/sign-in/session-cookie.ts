import type { IncomingHttpHeaders } from "node:http";
import { hashSecret, isToken } from "@glovebox/contract";
import type { Session, Store } from "@glovebox/store";
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
