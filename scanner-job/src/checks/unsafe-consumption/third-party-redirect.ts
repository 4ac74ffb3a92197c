import { defineCheck, fail, inconclusive, pass, type Verdict } from "../../engine/check.ts";
import { isDryRun } from "../../inventory/effects.ts";
import { isDenied, withoutMeaning } from "../../oracles/classify.ts";
import { siteOf } from "../../signatures/hosts.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";
import { MALFORMED, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck({
  id: "unsafe-consumption/third-party-redirect",
  kind: "differential",
  category: "unsafeConsumption",
  title: "Cross-domain redirect of an API request",
  severity: "medium",
  confidence: "firm",
  description:
    "The API redirects requests to another site. Clients that follow a 307 or 308 redirect send the whole body there, and over plain HTTP an attacker on the network path can forge the response.",
  rule: "An operation that takes a body returns 307 or 308, or a read returns any redirect, with a `Location` on another site.",
  control: "A random nonexistent path does not redirect to the same host.",
  remediation:
    "Call other services from the server, or redirect only to an allowlist of hosts, over HTTPS, and with 303 if the body must not be sent.",
  references: {
    cwe: 610,
    owasp: "API10:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:P/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => [
    ...spread(profile.operations.filter(takesDeclaredObject)),
    ...spread(reads(profile)),
  ],
  notApplicable: "No operation is known that could redirect.",

  async examine(operation, probe) {
    const request = isGet(operation) ? await probe.withRealIds(operation) : withoutContent(operation);
    const response = await probe.attack(request);
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    const elsewhere = otherSite(response);
    if (!elsewhere || isDenied(response)) return pass();
    const missing = await probe.missing(request);
    return otherSite(missing)?.host === elsewhere.host ? pass() : judge(operation, response, elsewhere);
  },
});

function judge(operation: Operation, { status }: ProbeResponse, { protocol, host }: URL): Verdict {
  const observed = `${status} redirects to ${protocol}//${host}.`;
  if (protocol === "http:") return fail(observed);
  if (!isGet(operation)) return status >= 307 ? fail(observed) : pass();
  // Downloads are often stored with another company; that is information, and no weakness by itself.
  return fail(observed, { severity: "info", confidence: "tentative" });
}

function otherSite(response: ProbeResponse): URL | undefined {
  const address = response.headers["location"];
  if (response.status < 300 || response.status >= 400 || address === undefined) return undefined;
  if (!URL.canParse(address, response.request.url)) return undefined;
  const [to, own] = [new URL(address, response.request.url), new URL(response.request.url)];
  const isElsewhere = /^https?:$/.test(to.protocol) && siteOf(to.hostname) !== siteOf(own.hostname);
  return isElsewhere ? to : undefined;
}

/** Only what keeps nothing by its own name: elsewhere a server without validation might store even this. */
function takesDeclaredObject({ facts }: Operation): boolean {
  const { method, body } = facts;
  if (method !== "POST" || !isDryRun(facts) || !body || !/json/i.test(body.mediaType)) return false;
  return !Array.isArray(body.sample) && body.fields.some(({ required }) => required);
}

const withoutContent = (operation: Operation): ProbeRequest =>
  operation.requestForNoObject({ body: "{", form: MALFORMED });

const isGet = ({ facts }: Operation): boolean => facts.method === "GET";
