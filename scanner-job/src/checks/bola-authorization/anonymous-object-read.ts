import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { looksPublished } from "../../attacks/published.ts";
import { replyToNoObject, unlessReturned } from "../../attacks/object-control.ts";
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
    "An operation that is documented to require credentials returns single objects to a caller without any.",
  rule: "The object of a real id is returned, and an id that cannot exist gets an error, a fault, or a success without an object.",
  control:
    "The same request with an id of the same type that cannot exist; where that is a fault, with one of another type.",
  remediation:
    "Check on every request that the caller may see this very object, before it is loaded; answer 401 or 404.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    spread(
      objectReads(profile).filter(({ facts }) => facts.security === "required" && !isAdministrative(facts)),
    ),
  notApplicable: "No operation that reads an object by its id declares that it needs credentials.",

  async examine(operation, probe) {
    const none = await replyToNoObject(operation, probe);
    const [id] = await probe.idsFor(operation);
    if (id === undefined)
      return isDenied(none)
        ? pass()
        : inconclusive(withoutMeaning(none) ?? "No id of an existing object was found.");

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
