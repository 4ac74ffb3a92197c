import type { DeskSession } from "./sessions.ts";

const SESSION = "__Host-desk";
/** Scripts of the page read it, to repeat it in a header. */
const CSRF = "__Host-desk-csrf";
const ATTRIBUTES = "Path=/; Secure; SameSite=Strict";

/** The `Set-Cookie` headers of a new session. */
export const issued = ({ cookie, csrf }: DeskSession): string[] => [
  `${SESSION}=${cookie}; ${ATTRIBUTES}; HttpOnly`,
  `${CSRF}=${csrf}; ${ATTRIBUTES}`,
];

export const cleared = (): string[] => [SESSION, CSRF].map((name) => `${name}=; ${ATTRIBUTES}; Max-Age=0`);

/** The cookie of the session in a `Cookie` header; empty without one. */
export const sessionCookieIn = (header = ""): string =>
  header
    .split("; ")
    .find((pair) => pair.startsWith(`${SESSION}=`))
    ?.slice(SESSION.length + 1) ?? "";

/** For the OpenAPI document. */
export const SESSION_COOKIE = SESSION;
