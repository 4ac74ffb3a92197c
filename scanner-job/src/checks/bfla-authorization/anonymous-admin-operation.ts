import { defineCheck, fail, inconclusive, pass, type Subject } from "../../engine/check.ts";
import { holdsData } from "../../oracles/records.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { tellsVersionOnly } from "../../attacks/published.ts";
import { isAdministrative } from "../../attacks/purpose.ts";
import { alike } from "../../oracles/similarity.ts";
import { guardedReads } from "../../attacks/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

interface Administration extends Subject {
  readonly operation: Operation;
  /** An ordinary read of the same API. */
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
    "An operation that is meant for administrators or for internal use returns data without credentials. Anyone can see, and often do, what only the operators should.",
  rule: "The operation, administrative by its path, tags, name or summary, answers a request without credentials with data.",
  control:
    "The same request to a path that cannot exist, and an ordinary operation, are answered differently.",
  remediation:
    "Refuse by default: require an administrator's role for the whole administrative part of the API, in one place, and keep internal operations off the public network.",
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
  notApplicable: "No operation appears to be for administrators or internal use.",

  async examine({ operation, sibling }, probe) {
    const request = await probe.withRealIds(operation);
    const reply = await probe.attack(request);
    if (isDenied(reply)) return pass();
    const unclear = withoutMeaning(reply);
    if (unclear) return inconclusive(unclear);
    if (reply.status === 404)
      return inconclusive(
        "It was not found: it may have been removed, or be hidden from callers without credentials.",
      );
    if (!isSuccess(reply))
      return inconclusive(`It answered status ${reply.status}, neither data nor a refusal.`);
    if (isNoBetterThan(await probe.missing(request), reply))
      return inconclusive("Paths that cannot exist are answered in the same way.");
    if (sibling && alike(reply, await probe.control(sibling.request())))
      return inconclusive("An ordinary operation is answered in the same way.");
    if (tellsVersionOnly(reply.json)) return pass();
    return holdsData(reply.json)
      ? fail(
          `Status ${reply.status} with ${reply.body.length} characters of data came back without credentials.`,
        )
      : inconclusive("The response contained no data to evaluate.");
  },
});
