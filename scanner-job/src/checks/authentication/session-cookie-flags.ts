import { defineBaselineRow, passWhereSet } from "../../attacks/baseline-row.ts";
import { cookieName, hasAttribute, sessionCookies } from "../../signatures/session-cookies.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

/** `Secure` belongs to encryption and is judged there. */
export default defineBaselineRow({
  id: "authentication/session-cookie-flags",
  category: "authentication",
  title: "Session cookie without HttpOnly or SameSite",
  severity: "low",
  confidence: "confirmed",
  description:
    "A session cookie lacks `HttpOnly` or `SameSite`. An attacker can steal it by cross-site scripting, or send authenticated requests from another site (CSRF).",
  rule: "A cookie with the name of a session cookie is set with a value and lacks `HttpOnly` or `SameSite`.",
  remediation:
    "Set session cookies with `HttpOnly; Secure; SameSite=Lax` (or `Strict`) and the `__Host-` prefix.",
  references: { cwe: 1004, owasp: "API2:2023" },
  weaknessIn(response) {
    const weak = weaknessesOf(response);
    return weak.length > 0 ? describe(weak) : undefined;
  },
  otherwise: (responses) => passWhereSet(responses, (response) => sessionCookies(response).length > 0),
});

const weaknessesOf = (response: ProbeResponse): string[] => [
  ...new Set(sessionCookies(response).flatMap((cookie) => lackOf(cookie) ?? [])),
];

const describe = (weak: readonly string[]): string => `${weak.slice(0, 3).join("; ")}.`;

/** What a cookie lacks, in words; undefined when it lacks nothing. */
function lackOf(cookie: string): string | undefined {
  const lacking = ["HttpOnly", "SameSite"].filter((flag) => !hasAttribute(cookie, flag));
  return lacking.length > 0 ? `"${cookieName(cookie)}" lacks ${lacking.join(" and ")}` : undefined;
}
