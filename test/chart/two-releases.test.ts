import { describe, expect, test } from "vitest";
import { EVERYTHING, EVALUATION, type Manifest, render, renderAs } from "./helm.ts";

/** All releases use the same resource definitions, which belong to the first (test/install). */
const SHARED = ["scans", "scanschedules"].map((plural) => `CustomResourceDefinition ${plural}.glovebox.dev`);

/** Objects of a release outside its own namespace, as `kind namespace name`. */
function objectsOutside([name, namespace]: readonly [string, string], values: Manifest): string[] {
  return renderAs(values, name, namespace)
    .filter(({ metadata }) => metadata.namespace !== namespace)
    .map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name].filter(Boolean).join(" "))
    .filter((object) => !SHARED.includes(object));
}

describe.each([
  ["an evaluation", EVALUATION],
  ["everything", EVERYTHING],
])("two releases with the values of %s", (_, values) => {
  test.each([
    ["of one name in two namespaces", ["glovebox", "one"], ["glovebox", "two"]],
    ["of two names in one namespace", ["one", "glovebox"], ["two", "glovebox"]],
    ["with the same concatenation of name and namespace", ["b-c", "a"], ["c", "a-b"]],
    ["one of which has the name of its namespace", ["glovebox", "glovebox"], ["glovebox", "other"]],
    ["of long names that differ at the end", [`${"a".repeat(52)}b`, "one"], [`${"a".repeat(52)}c`, "one"]],
  ] as const)(
    "%s share no object outside their namespaces except the resource definitions",
    (__, one, other) => {
      const [first, second] = [objectsOutside(one, values), objectsOutside(other, values)];
      expect(first.length).toBeGreaterThan(5);
      expect(first.filter((object) => second.includes(object))).toEqual([]);
    },
  );
});

test("the scan namespace of a release with the name of its namespace is <release>-scans", () => {
  const namespaces = render(EVALUATION).filter(({ kind }) => kind === "Namespace");
  expect(namespaces.map(({ metadata }) => metadata.name)).toEqual(["glovebox-scans"]);
});

test("all names of objects are valid in Kubernetes", () => {
  const longest = "a".repeat(53);
  for (const { kind, metadata } of renderAs(EVERYTHING, longest, "b".repeat(63))) {
    expect(metadata.name.length).toBeLessThanOrEqual(kind === "Namespace" ? 63 : 253);
    expect(metadata.name).toMatch(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
  }
});
