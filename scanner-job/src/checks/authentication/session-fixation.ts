import { NO_SIGN_IN, readBehindSignIn, signedInSubjects } from "../../attacks/sessions.ts";
import { sentAnonymously } from "../../attacks/roles.ts";
import { defineCheck, fail, inconclusive, notApplicable, pass } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import { parsedCookies } from "../../identities/cookies.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { sessionCookies } from "../../signatures/session-cookies.ts";
import { readOf, type ProbeRequest } from "../../transport/exchange.ts";

export default defineCheck({
  id: "authentication/session-fixation",
  kind: "differential",
  category: "authentication",
  title: "Session fixation",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The session that a visitor gets before signing in stays the same after it. An attacker who plants a session cookie in the victim's browser, for example from another subdomain, is signed in as the victim afterwards.",
  rule: "A session cookie that was set before the sign-in returns data that requires credentials once an identity has signed in with it.",
  control: "Another session cookie, with which nobody has signed in, is refused by the same read.",
  remediation: "Issue a new session identifier at each sign-in, and delete the session of before.",
  references: {
    cwe: 384,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 8,

  subjects: (profile) => signedInSubjects(profile),
  notApplicable: NO_SIGN_IN,

  async examine({ identity, signInUrls }, probe) {
    const urls = [...signInUrls, probe.profile.target.href];
    const planted = await visitorCookies(probe, urls);
    const other = await visitorCookies(probe, urls);
    if (!planted || !other) return notApplicable("No session cookie is set before the sign-in.");
    const session = await probe.profile.sessions.open(identity, planted);
    if (!session) return inconclusive("The target did not accept a second sign-in.");
    const read = await readBehindSignIn(probe, session.caller);
    if (!read)
      return inconclusive("No read was found that requires credentials and that the session may do.");
    if (!isDenied(await probe.control(withCookies(read.request, other))))
      return inconclusive("A session in which nobody has signed in is not refused.");
    const response = await probe.attack(withCookies(read.request, planted));
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    if (!isSuccess(response) || !areSimilar(response, read.response)) return pass();
    return fail(
      `The cookie ${Object.keys(planted).join(", ")} of before the sign-in returned status ${response.status} after it.`,
      { location: read.operation.location },
    );
  },
});

/** The session cookies that a new visitor gets; undefined without any. */
async function visitorCookies(
  probe: Probe,
  urls: readonly string[],
): Promise<Readonly<Record<string, string>> | undefined> {
  for (const url of urls) {
    const lines = sessionCookies(await probe.again(sentAnonymously(readOf(url))));
    const cookies = parsedCookies(lines.join("\n"));
    if (cookies.length > 0) return Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
  }
  return undefined;
}

const withCookies = (request: ProbeRequest, cookies: Readonly<Record<string, string>>): ProbeRequest =>
  sentAnonymously({
    ...request,
    headers: {
      ...request.headers,
      cookie: Object.entries(cookies)
        .map((pair) => pair.join("="))
        .join("; "),
    },
  });
