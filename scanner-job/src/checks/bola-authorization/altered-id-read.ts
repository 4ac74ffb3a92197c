import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { responseToNoObject, unlessReturned } from "../../attacks/object-control.ts";
import { isDenied } from "../../oracles/classify.ts";
import { looksPublished } from "../../attacks/published.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { objectReads, spread } from "../../attacks/subjects.ts";
import { idIn, othersBeside } from "../../attacks/other-objects.ts";
import type { Operation } from "../../inventory/operation.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

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
    "Incrementing or decrementing an ID returns objects of other users without credentials. An attacker can enumerate and download all of them.",
  rule: "At least two IDs derived from a known one return objects with the same fields (9 of 10) and different values, and the objects require credentials or contain personal data.",
  control: "A nonexistent ID of the same form returns no object.",
  remediation:
    "Check on every request that the caller may access this object, not only that the caller is authenticated, and use random IDs (UUIDv4) as defense in depth.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => spread(objectReads(profile)),
  notApplicable: "No operation reads an object by an ID in its path.",

  async examine(operation, probe) {
    const ids = await probe.idsFor(operation);
    const none = await responseToNoObject(operation, probe);
    if (ids.length === 0)
      return isDenied(none) ? pass() : inconclusive("No ID of an existing object was found.");
    const known = await probe.baseline(await probe.withId(operation, ids[0]!));
    const verdict = unlessReturned(known, none, probe);
    if (verdict) return verdict;
    if (!isSomebodysOwn(operation, known)) return pass();

    const others = await othersBeside([known, none], ids, { operation, probe, enough: ENOUGH });
    if (others.length < ENOUGH) return pass();
    const seen = others.map(idIn);
    return fail(`Besides ${ids[0]}, the IDs ${seen.join(", ")} returned other objects with the same fields.`);
  },
});

/** What is public by nature has ids that may be counted: products, posts, places. */
function isSomebodysOwn({ facts }: Operation, { json }: ProbeResponse): boolean {
  const { intimate, owned } = personalFields(json);
  const { security } = facts;
  if (looksPublished(facts, json)) return false;
  if (security === "required" || intimate.length > 0) return true;
  return security === "undeclared" && owned.length > 0;
}
