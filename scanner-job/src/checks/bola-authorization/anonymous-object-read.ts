import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { looksPublished } from "../../attacks/published.ts";
import { responseToNoObject, unlessReturned } from "../../attacks/object-control.ts";
import { isDenied, withoutMeaning } from "../../oracles/classify.ts";
import { isAdministrative } from "../../attacks/purpose.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";

export default defineCheck({
  id: "bola-authorization/anonymous-object-read",
  kind: "differential",
  category: "bolaAuthorization",
  title: "Unauthenticated object access (BOLA/IDOR)",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "An operation that is documented to require credentials returns single objects without any. An unauthenticated attacker can read every object whose ID is known or guessable.",
  rule: "The object of a real ID is returned, and a nonexistent ID gets an error or a success without an object.",
  control:
    "The same request with a nonexistent ID of the same type; where that causes a server error, with one of another type.",
  remediation:
    "Check on every request that the caller may access this object before it is loaded, and return 401 or 404 otherwise.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    spread(
      objectReads(profile).filter(({ facts }) => facts.security === "required" && !isAdministrative(facts)),
    ),
  notApplicable: "No operation that reads an object by its ID declares a security requirement.",

  async examine(operation, probe) {
    const none = await responseToNoObject(operation, probe);
    const [id] = await probe.idsFor(operation);
    if (id === undefined)
      return isDenied(none)
        ? pass()
        : inconclusive(withoutMeaning(none) ?? "No ID of an existing object was found.");

    const object = await probe.attack(await probe.withId(operation, id));
    const verdict = unlessReturned(object, none, probe);
    if (verdict) return verdict;
    return looksPublished(operation.facts, object.json)
      ? fail(`Object ${id} looks public, so the document may be wrong.`, {
          severity: "low",
          confidence: "tentative",
        })
      : fail(`Object ${id} was returned to a caller without credentials.`);
  },
});
