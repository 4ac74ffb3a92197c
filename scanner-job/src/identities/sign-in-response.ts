import type { ProbeResponse } from "../transport/exchange.ts";
import { CookieJar } from "./cookies.ts";
import { isCsrfCookie } from "./csrf.ts";
import { findTokens, type Tokens } from "./find-token.ts";

/** What a sign-in or a refresh brought. */
export interface Grant extends Tokens {
  /** The values of the cookies that it set. */
  readonly cookies: readonly string[];
}

/**
 * What a response to a sign-in, or to a refresh, brings: a token at the pointer or where it is found, or else a session in a cookie.
 * Undefined where it has none, or is a refusal. `hasSession`: a session was sent with it, which the response need not set again. Pure.
 */
export function grantIn(
  response: ProbeResponse,
  { pointer, hasSession }: { readonly pointer: string | undefined; readonly hasSession: boolean },
): Grant | undefined {
  if (response.status >= 400) return undefined;
  const tokens = findTokens(response, pointer);
  const jar = new CookieJar();
  jar.take(response.headers["set-cookie"]);
  const grant = { ...tokens, cookies: Object.values(jar.cookies) };
  if (tokens.access !== undefined) return grant;
  const setsSession = Object.keys(jar.cookies).some((name) => !isCsrfCookie(name));
  return pointer === undefined && (setsSession || hasSession) && !leadsBack(response) ? grant : undefined;
}

export const isNoRoute = ({ status }: ProbeResponse): boolean => status === 404 || status === 405;

export const asksForCsrfToken = ({ status, body }: ProbeResponse): boolean =>
  status === 419 ||
  ((status === 403 || status === 400 || status === 422) && /[cx]srf|authenticity|forgery/i.test(body));

/** A sign-in by a form that failed redirects to its page, or to one that says so. */
const leadsBack = ({ redirectTarget, request }: ProbeResponse): boolean =>
  redirectTarget !== undefined &&
  (redirectTarget.pathname === new URL(request.url).pathname ||
    /[?&](error|failed?|failure|denied)\b/i.test(redirectTarget.search));
