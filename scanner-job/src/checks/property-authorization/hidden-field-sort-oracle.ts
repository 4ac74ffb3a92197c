import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { inserting, insertingNonsense, insertionPoints } from "../../attacks/insertion-points.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { identityOf, rowsOf } from "../../oracles/records.ts";
import { keysOf } from "../../oracles/records.ts";
import type { Reply } from "../../transport/exchange.ts";

/** Fields that an account has and no list shows. */
const HIDDEN = ["password", "passwordHash", "password_hash"];

export default defineCheck({
  id: "property-authorization/hidden-field-sort-oracle",
  kind: "differential",
  category: "propertyAuthorization",
  title: "Hidden field disclosure by a sort oracle",
  severity: "medium",
  confidence: "firm",
  description:
    "A list can be sorted by a field that its rows do not show. By comparing orders, or by adding rows, an attacker infers the hidden values.",
  rule: "Sorting by a hidden field puts the same rows into another order, the same order twice, while sorting by two random names does not.",
  control: "Sorting by random names, and each request repeated.",
  remediation: "Hold the names that lists can be sorted and filtered by to a list of fields that are shown.",
  references: {
    cwe: 203,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    insertionPoints(profile, ({ in: place, name }) => place === "query" && SORT.test(name)),
  notApplicable: "No list declares a parameter to sort by.",

  async examine(point, probe) {
    const unsorted = await probe.baseline(await probe.withRealIds(point.operation));
    if (isDenied(unsorted)) return inconclusive("The list requires credentials.");
    const unclear = withoutMeaning(unsorted);
    if (unclear) return inconclusive(unclear);

    const randomly = await insertingNonsense(probe, point);
    const random = await probe.control(randomly);
    const usual = orderOf(isSuccess(random) ? random : unsorted);
    if (usual.length < 3) return inconclusive("The list has too few rows to see an order.");

    for (const field of HIDDEN.filter((name) => !keysOf(rowsOf(unsorted.json)).has(name))) {
      const byField = await inserting(probe, point, field);
      const sorted = await probe.attack(byField);
      if (!isSuccess(sorted) || !isReordered(usual, orderOf(sorted))) continue;
      const [sortedAgain, usualAgain] = [
        await probe.again(byField),
        await probe.again(isSuccess(random) ? randomly : unsorted.request),
      ];
      const isStable = sameOrder(sorted, sortedAgain) && orderOf(usualAgain).join() === usual.join();
      return isStable
        ? fail(`Sorting by "${field}", which no row shows, changes the order of ${usual.length} rows.`)
        : inconclusive("The order of the list varies by itself.");
    }
    return pass();
  },
});

const SORT = /^\$?(sort|order)([-_]?by|[-_]?(key|field|column))?$|^ordering$/i;

const orderOf = (reply: Reply): string[] => (rowsOf(reply.json) ?? []).map(identityOf);
const sameOrder = (a: Reply, b: Reply): boolean => orderOf(a).join() === orderOf(b).join();

/** The same rows in another order. */
const isReordered = (before: readonly string[], after: readonly string[]): boolean =>
  before.join() !== after.join() && before.toSorted().join() === after.toSorted().join();
