import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { inserting, insertingNonsense, insertionPoints } from "../../attacks/insertion-points.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { identityOf, rowsOf } from "../../oracles/records.ts";
import { keysOf } from "../../oracles/records.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

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
    "A list can be sorted by a field that its rows do not contain. An attacker can infer the hidden values by comparing orders or by adding rows.",
  rule: "Sorting by a hidden field returns the same rows in another order, the same order twice, while sorting by two random names does not.",
  control: "Sorting by random names, and each request repeated.",
  remediation: "Restrict sorting and filtering to an allowlist of visible fields.",
  references: {
    cwe: 203,
    owasp: "API3:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    insertionPoints(profile, ({ in: location, name }) => location === "query" && SORT.test(name)),
  notApplicable: "No list declares a sort parameter.",

  async examine(point, probe) {
    const unsorted = await probe.baseline(await probe.withRealIds(point.operation));
    if (isDenied(unsorted)) return inconclusive("The list requires credentials.");
    const unclear = withoutMeaning(unsorted);
    if (unclear) return inconclusive(unclear);

    const randomly = await insertingNonsense(probe, point);
    const random = await probe.control(randomly);
    const baseline = orderOf(isSuccess(random) ? random : unsorted);
    if (baseline.length < 3) return inconclusive("The list has too few rows to detect an order.");

    for (const field of HIDDEN.filter((name) => !keysOf(rowsOf(unsorted.json)).has(name))) {
      const byField = await inserting(probe, point, field);
      const sorted = await probe.attack(byField);
      if (!isSuccess(sorted) || !isReordered(baseline, orderOf(sorted))) continue;
      const [sortedAgain, baselineAgain] = [
        await probe.again(byField),
        await probe.again(isSuccess(random) ? randomly : unsorted.request),
      ];
      const isStable = sameOrder(sorted, sortedAgain) && orderOf(baselineAgain).join() === baseline.join();
      return isStable
        ? fail(
            `Sorting by "${field}", which the rows do not contain, changes the order of ${baseline.length} rows.`,
          )
        : inconclusive("The order of the list varies between identical requests.");
    }
    return pass();
  },
});

const SORT = /^\$?(sort|order)([-_]?by|[-_]?(key|field|column))?$|^ordering$/i;

const orderOf = (response: ProbeResponse): string[] => (rowsOf(response.json) ?? []).map(identityOf);
const sameOrder = (a: ProbeResponse, b: ProbeResponse): boolean => orderOf(a).join() === orderOf(b).join();

/** The same rows in another order. */
const isReordered = (before: readonly string[], after: readonly string[]): boolean =>
  before.join() !== after.join() && before.toSorted().join() === after.toSorted().join();
