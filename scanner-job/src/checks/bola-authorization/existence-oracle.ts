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
    "Without credentials an object that exists is refused, while one that does not exist is not found. The ids of existing objects (customers, invoices, documents) can be collected by trying.",
  rule: "An id that exists is answered 401 or 403, and two ids of the same form that cannot exist are both answered 404, with a fault or with another text.",
  control: "Two different ids that cannot exist are answered alike.",
  remediation:
    "Require credentials before the object is looked up, and answer 404 both for objects that do not exist and for those that the caller may not see.",
  references: { cwe: 204, owasp: "API1:2023" },

  cost: 1, // others ask for the same objects
  subjects: guardedObjectReads,
  notApplicable: "No operation reads an object by its id behind credentials.",

  async examine(operation, probe) {
    const [id] = await probe.idsFor(operation);
    const none = await probe.control(await probe.withNoObject(operation));
    if (id === undefined)
      return isDenied(none) ? pass() : inconclusive("No id of an existing object was found.");

    const object = await probe.attack(await probe.withId(operation, id));
    const unclear = withoutMeaning(object) ?? (isBlocked(none) ? BLOCKED : undefined);
    if (unclear) return inconclusive(unclear);
    // Answered as found, or not found although it was shown: there is no refusal to compare.
    if (!isDenied(object) || similarity(object, none) >= 0.8) return pass();

    const other = await probe.control(await probe.withNoObject(operation, "another"));
    return similarity(other, none) >= 0.8
      ? fail(`Object ${id} is answered with ${object.status}, ids that cannot exist with ${none.status}.`)
      : inconclusive("Ids that cannot exist are not answered alike.");
  },
});
