import { defineCheck, fail, inconclusive, pass, type Subject } from "../../engine/check.ts";
import { holdsData } from "../../oracles/records.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { tellsVersionOnly } from "../../attacks/published.ts";
import { isAdministrative } from "../../attacks/purpose.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { guardedReads } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

interface Administration extends Subject {
  readonly operation: Operation;
  /** A normal read of the same API. */
  readonly sibling: Operation | undefined;
}

export default defineCheck({
  id: "bfla-authorization/anonymous-admin-operation",
  kind: "differential",
  category: "bflaAuthorization",
  title: "Broken function level authorization: admin endpoint exposed",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "An administrative or internal operation returns data without credentials. An unauthenticated attacker can access administrative data and possibly administrative functions.",
  rule: "The operation is administrative by its path, tags, name or summary, and returns data without credentials.",
  control:
    "The same request to a nonexistent path, and a non-administrative operation, get different responses.",
  remediation:
    "Deny access by default, require an administrator role for all administrative operations in one central component, and keep internal operations off the public network.",
  references: {
    cwe: 862,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects(profile): Administration[] {
    const all = guardedReads(profile);
    const sibling = all.find(({ facts }) => !isAdministrative(facts) && !facts.path.includes("{"));
    return all
      .filter(({ facts }) => isAdministrative(facts))
      .map((operation) => ({ operation, location: operation.location, sibling }));
  },
  notApplicable: "No operation appears to be administrative or internal.",

  async examine({ operation, sibling }, probe) {
    const request = await probe.withRealIds(operation);
    const response = await probe.attack(request);
    if (isDenied(response)) return pass();
    const unclear = withoutMeaning(response);
    if (unclear) return inconclusive(unclear);
    if (response.status === 404)
      return inconclusive(
        "The operation was not found: it may have been removed, or be hidden from unauthenticated callers.",
      );
    if (!isSuccess(response)) return inconclusive(`Status ${response.status} is neither data nor a refusal.`);
    if (isNoBetterThan(await probe.missing(request), response))
      return inconclusive("Nonexistent paths get the same response.");
    if (sibling && areSimilar(response, await probe.control(sibling.request())))
      return inconclusive("A non-administrative operation returns the same response.");
    if (tellsVersionOnly(response.json)) return pass();
    return holdsData(response.json)
      ? fail(
          `Status ${response.status} with ${response.body.length} characters of data was returned without credentials.`,
        )
      : inconclusive("The response contained no data to evaluate.");
  },
});
