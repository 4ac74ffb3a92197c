import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { BLOCKED, isBlocked, isDenied, withoutMeaning } from "../../oracles/classify.ts";
import { similarity } from "../../oracles/similarity.ts";
import { guardedObjectReads } from "../../attacks/subjects.ts";

export default defineCheck({
  id: "bola-authorization/existence-oracle",
  kind: "differential",
  category: "bolaAuthorization",
  title: "Object enumeration by response discrepancy",
  severity: "low",
  confidence: "confirmed",
  description:
    "Without credentials, existing objects are refused while nonexistent ones are not found. An attacker can enumerate the IDs of existing objects, such as customers, invoices or documents.",
  rule: "Existing IDs return 401 or 403, and two nonexistent IDs of the same form both return 404, a server error or another text.",
  control:
    "Two different nonexistent IDs get the same response, and no existing one that is refused gets it.",
  remediation:
    "Authenticate the caller before looking the object up, and return 404 both for nonexistent objects and for objects that the caller may not access.",
  references: { cwe: 204, owasp: "API1:2023" },

  cost: 1, // others ask for the same objects
  subjects: guardedObjectReads,
  notApplicable: "No operation that requires credentials reads an object by its ID.",

  async examine(operation, probe) {
    const [id, ...others] = await probe.idsFor(operation);
    const none = await probe.control(await probe.withNoObject(operation));
    if (id === undefined)
      return isDenied(none) ? pass() : inconclusive("No ID of an existing object was found.");

    const object = await probe.attack(await probe.withId(operation, id));
    const unclear = withoutMeaning(object) ?? (isBlocked(none) ? BLOCKED : undefined);
    if (unclear) return inconclusive(unclear);
    // The response is as if found, or not found although it was shown: there is no refusal to compare.
    if (!isDenied(object) || similarity(object, none) >= 0.8) return pass();

    const other = await probe.control(await probe.withNoObject(operation, "another"));
    if (similarity(other, none) < 0.8) return inconclusive("Nonexistent IDs get different responses.");
    // The first object may be one of the few that are public, and be refused for another reason.
    for (const each of others.slice(0, MAX_OTHERS)) {
      const refused = await probe.control(await probe.withId(operation, each));
      if (similarity(refused, none) >= 0.8) return pass();
    }
    return fail(`Object ${id} returns status ${object.status}, nonexistent IDs ${none.status}.`);
  },
});

/** Further existing objects that are asked for. */
const MAX_OTHERS = 3;
