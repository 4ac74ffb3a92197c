import { defineBaselineRow, passWhereSet } from "../../attacks/baseline-row.ts";
import { cookieName, hasAttribute, sessionCookies } from "../../signatures/session-cookies.ts";
import type { Reply } from "../../transport/exchange.ts";

/** `HttpOnly` and `SameSite` belong to authentication and are judged there. */
export default defineBaselineRow({
  id: "encryption/cookie-secure",
  category: "encryption",
  title: "Session cookie without the Secure attribute",
  severity: "medium",
  confidence: "confirmed",
  description:
    "A session cookie is set without `Secure`. The browser sends it with any unencrypted request to this host, where everybody on the way can read it and take the session over.",
  rule: "A cookie named as a session is set with a value over HTTPS and lacks `Secure`.",
  remediation: "Set session cookies with `Secure`, and name them `__Host-…` so that browsers insist on it.",
  references: {
    cwe: 614,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:A/AC:L/AT:P/PR:N/UI:P/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  overTls: true,
  flawIn(reply) {
    const bare = reply.request.url.startsWith("https:") ? bareCookies(reply) : [];
    return bare.length > 0 ? lackOf(bare) : undefined;
  },
  otherwise: (replies) => passWhereSet(replies, (reply) => sessionCookies(reply).length > 0),
});

const bareCookies = (reply: Reply): string[] =>
  sessionCookies(reply)
    .filter((cookie) => !hasAttribute(cookie, "Secure"))
    .map(cookieName);

const lackOf = (names: readonly string[]): string => `"${names.slice(0, 3).join('", "')}" lacks Secure.`;
