import { defineBaselineRow, passWhereSet } from "../../attacks/baseline-row.ts";
import { cookieName, hasAttribute, sessionCookies } from "../../signatures/session-cookies.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

/** `HttpOnly` and `SameSite` belong to authentication and are judged there. */
export default defineBaselineRow({
  id: "encryption/cookie-secure",
  category: "encryption",
  title: "Session cookie without the Secure attribute",
  severity: "medium",
  confidence: "confirmed",
  description:
    "A session cookie lacks `Secure`, so browsers also send it over plain HTTP. An attacker on the network path can steal it and take over the session.",
  rule: "A cookie with the name of a session cookie is set with a value over HTTPS and lacks `Secure`.",
  remediation: "Set session cookies with `Secure` and the `__Host-` prefix, which makes browsers enforce it.",
  references: {
    cwe: 614,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:A/AC:L/AT:P/PR:N/UI:P/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  overTls: true,
  weaknessIn(response) {
    const bare = response.request.url.startsWith("https:") ? bareCookies(response) : [];
    return bare.length > 0 ? lackOf(bare) : undefined;
  },
  otherwise: (responses) => passWhereSet(responses, (response) => sessionCookies(response).length > 0),
});

const bareCookies = (response: ProbeResponse): string[] =>
  sessionCookies(response)
    .filter((cookie) => !hasAttribute(cookie, "Secure"))
    .map(cookieName);

const lackOf = (names: readonly string[]): string => `"${names.slice(0, 3).join('", "')}" lacks Secure.`;
