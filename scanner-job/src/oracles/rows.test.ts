import { expect, it } from "vitest";
import { identityOf, rowsOf } from "./rows.ts";

it.each([
  ["a list", [1, 2], 2],
  ["an empty list", [], 0],
  ["a list inside an object", { total: 2, users: [{}, {}] }, 2],
  ["the longer of two lists", { errors: [], data: [1, 2, 3] }, 3],
  ["a list two levels down", { data: { items: [1] } }, 1],
  ["an object without lists", { id: 1 }, undefined],
  ["no JSON", undefined, undefined],
])("the rows of %s are counted", (_, json, count) => expect(rowsOf(json)?.length).toBe(count));

it("a row is told by its id, or by all of it", () => {
  expect(identityOf({ id: 7, seen: 1 })).toBe(identityOf({ id: 7, seen: 2 }));
  expect(identityOf({ name: "a" })).not.toBe(identityOf({ name: "b" }));
});
