import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joined, type LabelSelector, selects, UNKNOWN, viewOf } from "./label-selector.ts";

const labels = viewOf({ app: "a", tier: "b" });

describe("a label selector", () => {
  test.each<[string, LabelSelector, boolean | typeof UNKNOWN]>([
    ["nothing", {}, true],
    ["an equal label", { matchLabels: { app: "a" } }, true],
    ["one of two unequal", { matchLabels: { app: "a", tier: "c" } }, false],
    ["In with the value", { matchExpressions: [{ key: "app", operator: "In", values: ["a", "z"] }] }, true],
    ["In without the key", { matchExpressions: [{ key: "no", operator: "In", values: ["a"] }] }, false],
    ["NotIn with the value", { matchExpressions: [{ key: "app", operator: "NotIn", values: ["a"] }] }, false],
    ["NotIn without the key", { matchExpressions: [{ key: "no", operator: "NotIn", values: ["a"] }] }, true],
    ["Exists", { matchExpressions: [{ key: "app", operator: "Exists" }] }, true],
    ["Exists without the key", { matchExpressions: [{ key: "toString", operator: "Exists" }] }, false],
    ["DoesNotExist", { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, false],
    ["an operator of the future", { matchExpressions: [{ key: "app", operator: "Like" }] }, UNKNOWN],
    [
      "labels and an expression",
      { matchLabels: { app: "a" }, matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] },
      false,
    ],
  ])("a label selector of %s selects: %s", (_, selector, expected) => {
    expect(selects(selector, labels)).toBe(expected);
  });
});

/**
 * The rules of apimachinery as its documentation has them (meta/v1, LabelSelectorRequirement; labels, Requirement.Matches),
 * by whether the key is among the labels and whether its value is among the values.
 */
const RULES: Readonly<
  Record<string, { absent: boolean; listed: boolean; unlisted: boolean; values: "some" | "none" }>
> = {
  In: { absent: false, listed: true, unlisted: false, values: "some" },
  NotIn: { absent: true, listed: false, unlisted: true, values: "some" },
  Exists: { absent: false, listed: true, unlisted: true, values: "none" },
  DoesNotExist: { absent: true, listed: false, unlisted: false, values: "none" },
};

/** What the rules say of a selector; undefined where it is one that Kubernetes does not take. */
function byTheRules(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  own: object,
): boolean | undefined {
  const asExpressions = Object.entries(matchLabels).map(([key, value]) => ({
    key,
    operator: "In",
    values: [value],
  }));
  let matches = true;
  for (const { key, operator, values = [] } of [...asExpressions, ...matchExpressions]) {
    const rule = RULES[operator];
    if (!rule || (rule.values === "some") !== values.length > 0) return undefined;
    const [found] = Object.entries(own).filter(([name]) => name === key);
    const where = !found ? "absent" : values.includes(found[1]) ? "listed" : "unlisted";
    matches = matches && rule[where];
  }
  return matches;
}

const keys = fc.constantFrom("app", "tier", "job-name", "toString", "x.example/y");
const values = fc.constantFrom("a", "b", "");
const someLabels = fc.dictionary(keys, values, { noNullPrototype: true });
const selectors = fc.record(
  {
    matchLabels: someLabels,
    matchExpressions: fc.array(
      fc.record({
        key: keys,
        operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Gt", "in"),
        values: fc.array(values, { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: [] },
);

describe("any label selector", () => {
  test("selects what apimachinery's rules say; what they do not take may select, and never more than all else it asks", () => {
    fc.assert(
      fc.property(selectors, someLabels, (selector, own) => {
        const expected = byTheRules(selector, own);
        const verdict = selects(selector, viewOf(own));
        if (expected === undefined) expect([UNKNOWN, false]).toContain(verdict);
        else expect(verdict).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
  });

  test("any label selector of which a label is not known selects for certain only what it selects with any value of that label", () => {
    fc.assert(
      fc.property(selectors, someLabels, keys, (selector, own, unknown) => {
        const { [unknown]: _, ...others } = own;
        const view = { get: (key: string) => (key === unknown ? UNKNOWN : viewOf(others).get(key)) };
        const verdict = selects(selector, view);
        const possible = [{}, ...["a", "b", "", "z"].map((value) => ({ [unknown]: value }))].map((one) =>
          byTheRules(selector, { ...others, ...one }),
        );
        if (verdict === true) expect(possible).not.toContain(false);
        if (verdict === false) expect(possible).not.toContain(true);
      }),
      { numRuns: 5_000 },
    );
  });
});

test("two views of an object are joined, and what they differ in is not known", () => {
  const both = joined(viewOf({ a: "1", b: "1", c: "1" }), viewOf({ b: "1", c: "2", d: "2" }));
  expect(["a", "b", "c", "d", "e"].map((key) => both.get(key))).toEqual(["1", "1", UNKNOWN, "2", undefined]);
});
