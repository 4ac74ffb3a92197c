import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { withHeader, withQuery } from "../../attacks/credentials.ts";
import { isDenied, withoutMeaning } from "../../oracles/classify.ts";
import type { Probe } from "../../engine/probe.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";
import { NO_OBJECT, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";

const HEADERS = ["x-http-method-override", "x-http-method", "x-method-override"];

/** Ways to ask for another method than the request line's. */
const OVERRIDES: readonly {
  readonly label: string;
  readonly with: (request: ProbeRequest, method: string) => ProbeRequest;
}[] = [
  {
    label: "`X-HTTP-Method-Override` or an equivalent header",
    with: (request, method) =>
      HEADERS.reduce((overridden, name) => withHeader(overridden, name, method), request),
  },
  {
    label: "the parameter `_method`",
    with: (request, method) => withQuery(request, { _method: method }),
  },
];

/** The methods that show an override, the gravest first; HEAD has no body where the others get the same response. */
const METHODS = ["DELETE", "OPTIONS", "HEAD"];

export default defineCheck({
  id: "bfla-authorization/method-override",
  kind: "differential",
  category: "bflaAuthorization",
  title: "HTTP method override (verb tampering)",
  severity: "medium",
  confidence: "confirmed",
  description:
    "A header or parameter overrides the method of a GET request. An attacker can bypass access control, caches and firewalls that see a safe read while the application executes a write.",
  rule: "With the override, a GET for a nonexistent object gets the response of DELETE, OPTIONS or HEAD instead of that to GET, twice.",
  control: "The same GET without the override, and a request with the overriding method.",
  remediation:
    "Disable method overrides. If old clients need them, accept them on POST only and before authorization.",
  references: {
    cwe: 436,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 2, // most servers respond to the methods in the same way
  subjects: (profile) => spread(objectReads(profile)),
  notApplicable: "No operation reads an object by an ID in its path.",

  async examine(operation, probe) {
    const read = await probe.withNoObject(operation);
    const asRead = await probe.control(read);
    const unclear = withoutMeaning(asRead);
    if (unclear) return inconclusive(unclear);

    for (const method of METHODS) {
      const genuine = await probe.control(directly(read, method));
      // Both got the same response (refused, not found): the override could not be seen.
      if (withoutMeaning(genuine) || areSimilar(genuine, asRead)) continue;
      for (const override of OVERRIDES) {
        const response = await probe.attack(override.with(read, method));
        if (!areSimilar(response, genuine) || areSimilar(response, asRead)) continue;
        if (!(await isSteady(override, { operation, probe, method, asRead, genuine }))) continue;
        const observed = `With ${override.label} set to ${method}, GET returns status ${response.status} instead of ${asRead.status}, as ${method} does.`;
        const isPastRefusal = isDenied(asRead) && !isDenied(response) && method === "DELETE";
        return fail(observed, isPastRefusal ? { severity: "high" } : {});
      }
      return pass();
    }
    return inconclusive(
      "GET, DELETE, OPTIONS and HEAD get the same response, so an override would not be visible.",
    );
  },
});

/** For another object that cannot exist it must be the same: some hosts respond differently each time. */
async function isSteady(
  override: (typeof OVERRIDES)[number],
  seen: { operation: Operation; probe: Probe; method: string; asRead: ProbeResponse; genuine: ProbeResponse },
): Promise<boolean> {
  const other = await seen.probe.withNoObject(seen.operation, "another");
  if (!areSimilar(await seen.probe.control(other), seen.asRead)) return false;
  return areSimilar(await seen.probe.attack(override.with(other, seen.method)), seen.genuine);
}

const directly = (read: ProbeRequest, method: string): ProbeRequest => ({
  ...read,
  method,
  form: NO_OBJECT,
});
