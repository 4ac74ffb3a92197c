import type { AccessOfCallers } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { callersIn, filteredGrid, findingsByInstance, violationsOf } from "./caller-access.ts";
import { found, instanceAt } from "./testing.ts";

const row = (method: string, path: string, over: Partial<AccessOfCallers> = {}): AccessOfCallers => ({
  ...{ method, path, access: { alice: "allowed", anonymous: "refused" } },
  ...over,
});
const VIOLATED = row("DELETE", "/Orders/{id}", {
  access: { alice: "allowed", bob: "allowed", anonymous: "refused" },
  violations: [{ caller: "bob", finding: "a1" }],
});
const GRID = [row("GET", "/orders"), VIOLATED, row("GET", "/teams", { violations: [] })];

test("the callers of a grid are listed once, in the order of their first row", () => {
  expect(callersIn(GRID)).toEqual(["alice", "anonymous", "bob"]);
  expect(callersIn([])).toEqual([]);
});

describe("a filtered grid", () => {
  test.each<[string, boolean, string[]]>([
    ["", false, ["/orders", "/Orders/{id}", "/teams"]],
    ["", true, ["/Orders/{id}"]],
    ["get /", false, ["/orders", "/teams"]],
    [" ORDERS ", false, ["/orders", "/Orders/{id}"]],
    ["teams", true, []],
  ])("a grid filtered by %j, violations alone: %s, has the operations %j", (text, isViolated, paths) => {
    expect(filteredGrid(GRID, { text, isViolated }).map(({ path }) => path)).toEqual(paths);
  });
});

test("a violation is that of its caller alone", () => {
  expect(violationsOf(VIOLATED, "bob")).toEqual([{ caller: "bob", finding: "a1" }]);
  expect(violationsOf(VIOLATED, "alice")).toEqual([]);
});

test("an instance leads to the finding that has it", () => {
  const instances = ["GET /orders", "GET /teams"].map((at) => instanceAt(at));
  const finding = found("high firm", { id: "root", instances });
  const byInstance = findingsByInstance([finding]);
  expect(instances.map(({ id }) => byInstance.get(id))).toEqual([finding, finding]);
  expect([byInstance.get("root"), byInstance.get("another")]).toEqual([finding, undefined]);
});
