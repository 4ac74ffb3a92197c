import type { ProbeResponse } from "../transport/exchange.ts";

/** The `Set-Cookie` lines of a response that set a session: named like one and with a value. */
export const sessionCookies = (response: ProbeResponse): string[] =>
  (response.headers["set-cookie"] ?? "").split("\n").filter((cookie) => {
    const [, name = "", value = ""] = /^([^=;]+)=([^;]*)/.exec(cookie.slice(0, 4096).trimStart()) ?? [];
    const isDeletion = value === "" || /;\s*max-age=0\b|expires=Thu, 01[ -]Jan[ -]1970/i.test(cookie);
    return SESSION.test(name) && !/csrf|xsrf/i.test(name) && !isDeletion;
  });

/** True when the cookie has an attribute of this name (RFC 6265, section 5.2). */
export const hasAttribute = (cookie: string, name: string): boolean =>
  new RegExp(`;\\s*${name}\\b`, "i").test(cookie);

export const cookieName = (cookie: string): string => cookie.split("=")[0]!.trim();

const SESSION = /sess|(^|[-_.])s?sid$|^connect\.sid$|auth|jwt|(access|refresh|id)[-_]?token|remember/i;
