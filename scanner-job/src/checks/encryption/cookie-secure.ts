import { defineCheck, fail, notApplicable, pass } from "../../engine/check.ts";
import { ordinaryReplies, overTls } from "../../attacks/subjects.ts";
import type { Reply } from "../../transport/exchange.ts";
import { cookieName, hasAttribute, sessionCookies } from "../../signatures/session-cookies.ts";

/** `HttpOnly` and `SameSite` belong to authentication and are judged there. */
export default defineCheck({
  id: "encryption/cookie-secure",
  category: "encryption",
  title: "Session cookie without the Secure attribute",
  severity: "medium",
  confidence: "confirmed",
  description:
    "A session cookie is set without `Secure`. The browser sends it with any unencrypted request to this host, where everybody on the way can read it and take the session over.",
  rule: "A cookie named as a session is set with a value over HTTPS and lacks `Secure`.",
  control: "None: the header itself is the proof.",
  remediation: "Set session cookies with `Secure`, and name them `__Host-…` so that browsers insist on it.",
  references: {
    cwe: 614,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:A/AC:L/AT:P/PR:N/UI:P/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  passive: true,

  subjects: overTls,
  notApplicable: "The target is not reached over TLS.",

  /** Cookies that a log-in or an error sets are seen here. */
  observe(reply, { profile }) {
    const bare = reply.request.url.startsWith("https:") ? bareCookies(reply) : [];
    return bare.length > 0 ? { observed: lackOf(bare), location: profile.host.location } : undefined;
  },

  async examine(_, probe) {
    let isSet = false;
    for await (const reply of ordinaryReplies(probe)) {
      isSet ||= sessionCookies(reply).length > 0;
      const bare = bareCookies(reply);
      if (bare.length > 0) return fail(lackOf(bare));
    }
    return isSet ? pass() : notApplicable("No session cookie was set, because no sign-in succeeded.");
  },
});

const bareCookies = (reply: Reply): string[] =>
  sessionCookies(reply)
    .filter((cookie) => !hasAttribute(cookie, "Secure"))
    .map(cookieName);

const lackOf = (names: readonly string[]): string => `"${names.slice(0, 3).join('", "')}" lacks Secure.`;
