import { defineCheck, fail, inconclusive, pass, type Subject, type Verdict } from "../../engine/check.ts";
import { withHeader } from "../../attacks/credentials.ts";
import { withoutMeaning } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { guardedReads, theHost } from "../../attacks/subjects.ts";
import { readOf, type Reply } from "../../transport/exchange.ts";

export default defineCheck({
  id: "data-exposure/cors",
  category: "dataExposure",
  title: "CORS misconfiguration: untrusted origin allowed",
  severity: "high",
  confidence: "confirmed",
  description:
    "The API allows untrusted origins (CORS). A page on any site can call it from a visitor's browser and read the responses.",
  rule: "`Access-Control-Allow-Origin` repeats an origin that was made up, with `Access-Control-Allow-Credentials: true`, or on an operation that needs credentials.",
  control: "The same request without an origin, and with the site's own.",
  remediation:
    "Compare the origin with a list of whole origins, never by its beginning or end, refuse `null`, and allow credentials only for origins on the list.",
  references: {
    cwe: 942,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:A/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  // How origins are judged is most often one setting: an operation with something to lose stands for all.
  async examine(_, probe) {
    const [guarded] = guardedReads(probe.profile);
    const first = guarded ? await examineOrigins(guarded, probe) : undefined;
    return first?.outcome === "fail" ? first : examineOrigins(probe.profile.host, probe);
  },
});

async function examineOrigins({ operation, location }: Subject, probe: Probe): Promise<Verdict> {
  const { target } = probe.profile;
  const request = operation ? await probe.withRealIds(operation) : readOf(target.href);
  const plain = await probe.control(request);
  const own = await probe.control(withHeader(request, "origin", target.origin));
  const unclear = withoutMeaning(plain) ?? withoutMeaning(own);
  if (unclear) return inconclusive(unclear);

  for (const origin of foreignOrigins(target, probe.nonce())) {
    const reply = await probe.attack(withHeader(request, "origin", origin));
    if (allowed(reply) !== origin || allowed(plain) === origin) continue;
    if (withCredentials(reply) && !sendsNoCookie(probe, [plain, reply]))
      return fail(`The origin \`${origin}\` may read answers with the visitor's credentials.`, { location });
    if (withCredentials(reply))
      return fail(
        `The origin \`${origin}\` may read answers; but credentials go in a header, which no browser sends by itself.`,
        { location, severity: "low" },
      );
    if (operation?.facts.security === "required")
      return fail(`The origin \`${origin}\` may read answers, though without cookies.`, {
        location,
        severity: "low",
      });
  }
  return pass();
}

/** Foreign origins: any, none, and two that a careless comparison takes for the site's own. */
const foreignOrigins = ({ protocol, hostname }: URL, nonce: string): string[] => [
  `https://${nonce}.example`,
  "null",
  `${protocol}//${hostname}.${nonce}.example`,
  `${protocol}//${nonce}${hostname}`,
];

const allowed = (reply: Reply): string | undefined => reply.headers["access-control-allow-origin"];
const withCredentials = (reply: Reply): boolean =>
  reply.headers["access-control-allow-credentials"] === "true";

/** True where the document names credentials that only a program puts into a header, and no answer sets a cookie. */
function sendsNoCookie({ profile }: Probe, replies: readonly Reply[]): boolean {
  const schemes = profile.document?.securitySchemes ?? [];
  const inHeader = schemes.every(
    ({ type, scheme, in: place }) =>
      type === "oauth2" ||
      type === "openIdConnect" ||
      (type === "http" && scheme?.toLowerCase() === "bearer") ||
      (type === "apiKey" && place === "header"),
  );
  return (
    schemes.length > 0 &&
    inHeader &&
    [profile.entry, ...replies].every(({ headers }) => !("set-cookie" in headers))
  );
}
