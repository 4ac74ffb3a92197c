import { defineCheck, fail, inconclusive, notApplicable, pass } from "../../engine/check.ts";
import { BLOCKED, isBlocked } from "../../oracles/classify.ts";
import type { Reply } from "../../transport/exchange.ts";
import { cookieName, hasAttribute, sessionCookies } from "../../signatures/session-cookies.ts";
import { ordinaryReplies, theHost } from "../../attacks/subjects.ts";

/** `Secure` belongs to encryption and is judged there. */
export default defineCheck({
  id: "authentication/session-cookie-flags",
  category: "authentication",
  title: "Session cookie without HttpOnly or SameSite",
  severity: "low",
  confidence: "confirmed",
  description:
    "A session cookie is set without `HttpOnly` or `SameSite`. A script injected into a page can read it, or another site can have requests sent with it.",
  rule: "A cookie named as a session is set with a value and lacks `HttpOnly` or `SameSite`.",
  control: "None: the header itself is the proof.",
  remediation:
    "Set session cookies with `HttpOnly; Secure; SameSite=Lax` (or `Strict`), and name them `__Host-…`.",
  references: { cwe: 1004, owasp: "API2:2023" },
  passive: true,

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  /** Cookies that a log-in or an error sets are seen here. */
  observe(reply, { profile }) {
    const weak = weaknessesOf(reply);
    return weak.length > 0 ? { observed: describe(weak), location: profile.host.location } : undefined;
  },

  async examine(_, probe) {
    let isSet = false;
    let isAnswered = false;
    for await (const reply of ordinaryReplies(probe)) {
      isSet ||= sessionCookies(reply).length > 0;
      isAnswered ||= !isBlocked(reply);
      const weak = weaknessesOf(reply);
      if (weak.length > 0) return fail(describe(weak));
    }
    if (isSet) return pass();
    return isAnswered
      ? notApplicable("No session cookie was set, because no sign-in succeeded.")
      : inconclusive(BLOCKED);
  },
});

const weaknessesOf = (reply: Reply): string[] => [
  ...new Set(sessionCookies(reply).flatMap((cookie) => lackOf(cookie) ?? [])),
];

const describe = (weak: readonly string[]): string => `${weak.slice(0, 3).join("; ")}.`;

/** What a cookie lacks, in words; undefined when it lacks nothing. */
function lackOf(cookie: string): string | undefined {
  const lacking = ["HttpOnly", "SameSite"].filter((flag) => !hasAttribute(cookie, flag));
  return lacking.length > 0 ? `"${cookieName(cookie)}" lacks ${lacking.join(" and ")}` : undefined;
}
