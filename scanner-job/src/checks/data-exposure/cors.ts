import { defineCheck, fail, inconclusive, pass, type Verdict } from "../../engine/check.ts";
import { withHeader } from "../../attacks/credentials.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { guardedReads, baselineResponses } from "../../attacks/subjects.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck({
  id: "data-exposure/cors",
  kind: "differential",
  category: "dataExposure",
  title: "CORS misconfiguration: untrusted origin allowed",
  severity: "high",
  confidence: "confirmed",
  description:
    "The CORS policy allows untrusted origins. A malicious website can call the API from a visitor's browser and read the responses.",
  rule: "`Access-Control-Allow-Origin` reflects an invented origin, with `Access-Control-Allow-Credentials: true` or on an operation that requires credentials.",
  control: "The same request without an origin, and with the API's own origin.",
  remediation:
    "Compare the whole origin with an allowlist, never its prefix or suffix, reject `null`, and allow credentials only for origins on the list.",
  references: {
    cwe: 942,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  // Requests that are only sent where an operation speaks of origins at all are not counted.
  cost: 2,
  subjects: (profile) => [profile.host, ...guardedReads(profile)],
  notApplicable: "This check applies to every target.",

  async examine({ operation }, probe) {
    const { target } = probe.profile;
    const request = operation ? await probe.withRealIds(operation) : readOf(target.href);
    const plain = await probe.control(request);
    const own = await probe.control(withHeader(request, "origin", target.origin));
    const unclear = withoutMeaning(plain) ?? withoutMeaning(own);
    if (unclear) return inconclusive(unclear);

    const origins = otherOrigins(target, probe.nonce());
    const speaksOfOrigins = [plain, own].some((response) => allowed(response) !== undefined);
    for (const origin of operation && !speaksOfOrigins ? origins.slice(0, 1) : origins) {
      const response = await responseTo(withHeader(request, "origin", origin), probe);
      if (allowed(response) !== origin || allowed(plain) === origin) continue;
      if (withCredentials(response)) return judge(origin, await sendsCredentials(probe, [plain, response]));
      if (operation?.facts.security === "required")
        return fail(`The origin \`${origin}\` may read responses, but without cookies.`, {
          severity: "low",
        });
    }
    return pass();
  },
});

/** With a cookie where every origin is allowed with credentials: frameworks reflect the origin only beside one. */
async function responseTo(request: ProbeRequest, probe: Probe): Promise<ProbeResponse> {
  const response = await probe.attack(request);
  return allowed(response) === "*" && withCredentials(response)
    ? probe.attack(withHeader(request, "cookie", `session=${probe.profile.calibration.nonce}`))
    : response;
}

const judge = (origin: string, browserSendsCredentials: boolean): Verdict =>
  browserSendsCredentials
    ? fail(`The origin \`${origin}\` may read responses with the visitor's credentials.`)
    : fail(
        `The origin \`${origin}\` may read responses with credentials, but the scan saw no cookie and no browser login, and browsers send no other credentials automatically.`,
        { severity: "low" },
      );

/** Other origins: any, none, and two that a careless comparison takes for the site's own. */
const otherOrigins = ({ protocol, hostname }: URL, nonce: string): string[] => [
  `https://${nonce}.example`,
  "null",
  `${protocol}//${hostname}.${nonce}.example`,
  `${protocol}//${nonce}${hostname}`,
];

const allowed = (response: ProbeResponse): string | undefined =>
  response.headers["access-control-allow-origin"];
const withCredentials = (response: ProbeResponse): boolean =>
  response.headers["access-control-allow-credentials"] === "true";

/**
 * Whether a browser sends credentials by itself: a response sets a cookie or asks for the browser's sign-in, or the
 * document declares either. Without any, there are no credentials for the responses to be read with.
 */
async function sendsCredentials(probe: Probe, responses: readonly ProbeResponse[]): Promise<boolean> {
  const isAmbient = ({ headers }: ProbeResponse): boolean =>
    "set-cookie" in headers || BROWSERS_OWN.test(headers["www-authenticate"] ?? "");
  const { document, entry } = probe.profile;
  const isDeclared = (document?.securitySchemes ?? []).some(
    ({ type, scheme, in: location }) =>
      (type === "apiKey" && location === "cookie") ||
      type === "mutualTLS" ||
      (type === "http" && BROWSERS_OWN.test(scheme ?? "")),
  );
  if (isDeclared || [entry, ...responses].some(isAmbient)) return true;
  for await (const response of baselineResponses(probe)) if (isAmbient(response)) return true;
  return false;
}

/** Schemes with which a browser signs in again by itself (RFC 7617, RFC 7616, RFC 4559). */
const BROWSERS_OWN = /^\s*(basic|digest|negotiate|ntlm)\b/i;
