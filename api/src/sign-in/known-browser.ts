import { hashSecret, isToken, newToken } from "@glovebox/store";
import type { Services } from "../deps.ts";
import { readCookie, setCookie, type HostCookie } from "../http/cookies.ts";
import type { PageRequest } from "./page.ts";

/** A device cookie: it lets nobody in, but an attack on sign-in does not delay who shows it (OWASP, "Slow Down Online Guessing"). */
const BROWSER_COOKIE: HostCookie = { name: "__Host-glovebox-browser", maxAgeSeconds: 180 * 24 * 3600 };

const tokenOf = ({ cookie }: Pick<PageRequest, "cookie">): string | undefined => {
  const token = readCookie(cookie, BROWSER_COOKIE);
  return token !== undefined && isToken(token) ? token : undefined;
};

/** The digest of the browser's token, if this user has signed in with this browser before. */
export async function knownBrowser(
  request: Pick<PageRequest, "cookie">,
  { store }: Pick<Services, "store">,
  userId: string | undefined,
): Promise<string | undefined> {
  const token = tokenOf(request);
  if (token === undefined) return undefined;
  const sha256 = hashSecret(token);
  // Also asked without a user: the response takes the same time.
  return (await store.knownBrowsers.has(sha256, userId ?? null)) ? sha256 : undefined;
}

/** Remembers that the user has signed in with this browser; the value of Set-Cookie. */
export async function rememberBrowser(
  request: Pick<PageRequest, "cookie">,
  { store }: Pick<Services, "store">,
  userId: string,
): Promise<string> {
  const token = tokenOf(request) ?? newToken();
  await store.knownBrowsers.add(hashSecret(token), userId);
  return setCookie(BROWSER_COOKIE, token);
}
