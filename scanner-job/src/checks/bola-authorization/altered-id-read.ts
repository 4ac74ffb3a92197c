import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { replyToNoObject, unlessReturned } from "../../attacks/object-control.ts";
import { isDenied } from "../../oracles/classify.ts";
import { looksPublished } from "../../attacks/published.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import { idIn, othersBeside } from "../../attacks/other-objects.ts";
import type { Operation } from "../../inventory/operation.ts";
import type { Reply } from "../../transport/exchange.ts";

/** Altered ids that must return an object. */
const ENOUGH = 2;

export default defineCheck({
  id: "bola-authorization/altered-id-read",
  kind: "differential",
  category: "bolaAuthorization",
  title: "Broken object level authorization (IDOR)",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "Counting an id up or down returns the objects of other people, without credentials. All of them can be collected by counting on.",
  rule: "At least two ids made by altering a known one return objects with the same fields (9 of 10) and other values, and the objects require credentials or contain personal data.",
  control: "An id of the same form that cannot exist returns no object.",
  remediation:
    "Check for every object that the caller may read this very one, not only that the caller is known, and use random ids (UUID version 4) as a second line.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(objectReads(profile)),
  notApplicable: "No operation reads an object by an id in its path.",

  async examine(operation, probe) {
    const ids = await probe.idsFor(operation);
    const none = await replyToNoObject(operation, probe);
    if (ids.length === 0)
      return isDenied(none) ? pass() : inconclusive("No id of an existing object was found.");
    const known = await probe.baseline(await probe.withId(operation, ids[0]!));
    const verdict = unlessReturned(known, none, probe);
    if (verdict) return verdict;
    if (!isSomebodysOwn(operation, known)) return pass();

    const others = await othersBeside([known, none], ids, { operation, probe, enough: ENOUGH });
    if (others.length < ENOUGH) return pass();
    const seen = others.map(idIn);
    return fail(`Beside ${ids[0]}, the ids ${seen.join(", ")} returned other objects with the same fields.`);
  },
});

/** What is public by nature has ids that may be counted: products, posts, places. */
function isSomebodysOwn({ facts }: Operation, { json }: Reply): boolean {
  const { intimate, owned } = personalFields(json);
  const { security } = facts;
  if (looksPublished(facts, json)) return false;
  if (security === "required" || intimate.length > 0) return true;
  return security === "undeclared" && owned.length > 0;
}
