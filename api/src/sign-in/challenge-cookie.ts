import { hashSecret, isToken, newToken } from "@glovebox/contract";
import type { Store } from "@glovebox/store";
import { clearCookie, readCookie, setCookie, type HostCookie } from "../http/cookies.ts";

const COOKIE: HostCookie = { name: "__Host-glovebox-challenge", maxAgeSeconds: 600 };

type Challenge = Parameters<Store["passkeys"]["challenge"]>[1];

/** Stores a challenge; the value of Set-Cookie binds it to the browser. */
export async function giveChallenge(store: Pick<Store, "passkeys">, challenge: Challenge): Promise<string> {
  const token = newToken();
  await store.passkeys.challenge(hashSecret(token), challenge);
  return setCookie(COOKIE, token);
}

/** The challenge of this browser, once. */
export async function takeChallenge(
  store: Pick<Store, "passkeys">,
  cookie: string | undefined,
  purpose: Challenge["purpose"],
): Promise<Challenge | undefined> {
  const token = readCookie(cookie, COOKIE);
  return token !== undefined && isToken(token)
    ? store.passkeys.takeChallenge(hashSecret(token), purpose)
    : undefined;
}

export const noChallenge = (): string => clearCookie(COOKIE);
