import { describe, expect, test } from "vitest";
import { EVERYTHING, EVALUATION, type Manifest, render, renderAs } from "./helm.ts";

/** The one resource definition serves all releases; the first one to be installed has it (test/install). */
const SHARED = "CustomResourceDefinition scans.glovebox.dev";

/** What the release makes outside its own namespace: of the whole cluster, and in namespaces of the whole cluster. */
function placesOf([name, namespace]: readonly [string, string], values: Manifest): string[] {
  return renderAs(values, name, namespace)
    .filter(({ metadata }) => metadata.namespace !== namespace)
    .map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name].filter(Boolean).join(" "))
    .filter((place) => place !== SHARED);
}

describe.each([
  ["an evaluation", EVALUATION],
  ["everything", EVERYTHING],
])("Two releases with the values of %s", (_, values) => {
  test.each([
    ["of one name in two namespaces", ["glovebox", "one"], ["glovebox", "two"]],
    ["of two names in one namespace", ["one", "glovebox"], ["two", "glovebox"]],
    ["whose names add up to the same", ["b-c", "a"], ["c", "a-b"]],
    ["of which one is named as its namespace", ["glovebox", "glovebox"], ["glovebox", "other"]],
    ["of long names that differ at the end", [`${"a".repeat(52)}b`, "one"], [`${"a".repeat(52)}c`, "one"]],
  ] as const)("%s have nothing of the cluster in common but the resource definition", (__, one, other) => {
    const [first, second] = [placesOf(one, values), placesOf(other, values)];
    expect(first.length).toBeGreaterThan(5);
    expect(first.filter((place) => second.includes(place))).toEqual([]);
  });
});

test("A release that is named as its namespace has its scans in <release>-scans", () => {
  const namespaces = render(EVALUATION).filter(({ kind }) => kind === "Namespace");
  expect(namespaces.map(({ metadata }) => metadata.name)).toEqual(["glovebox-scans"]);
});

test("Every name of the cluster is one that Kubernetes takes", () => {
  const longest = "a".repeat(53);
  for (const { kind, metadata } of renderAs(EVERYTHING, longest, "b".repeat(63))) {
    expect(metadata.name.length).toBeLessThanOrEqual(kind === "Namespace" ? 63 : 253);
    expect(metadata.name).toMatch(/^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/);
  }
});
