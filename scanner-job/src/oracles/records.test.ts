import { expect, it, describe } from "vitest";
import { identityOf, rowsOf, fitsDeclaration, holdsData } from "./records.ts";
import { anOperation, aResponse } from "../testing/samples.ts";

it.each([
  ["a list", [1, 2], 2],
  ["an empty list", [], 0],
  ["a list inside an object", { total: 2, users: [{}, {}] }, 2],
  ["the longer of two lists", { errors: [], data: [1, 2, 3] }, 3],
  ["a list two levels down", { data: { items: [1] } }, 1],
  ["an object without lists", { id: 1 }, undefined],
  ["no JSON", undefined, undefined],
])("the rows of %s are counted", (_, json, count) => expect(rowsOf(json)?.length).toBe(count));

it("a row is identified by its id, or by its whole content", () => {
  expect(identityOf({ id: 7, seen: 1 })).toBe(identityOf({ id: 7, seen: 2 }));
  expect(identityOf({ name: "a" })).not.toBe(identityOf({ name: "b" }));
});

const field = (path: string) => ({ path, name: path, type: "string", readOnly: false, required: false });
const declaring = (...paths: string[]) =>
  anOperation({ responses: [{ status: "200", fields: paths.map(field) }] });
const json = (value: unknown) => aResponse({ body: JSON.stringify(value) });

describe("the declared fields of a response", () => {
  it.each([
    [true, "an object that has them", declaring("id", "name"), { id: 1, name: "Ada", more: 1 }],
    [true, "a list whose items have them", declaring("[].id", "[].owner.name"), [{ id: 1, owner: {} }]],
    [true, "half of them", declaring("users", "total"), { users: [], next: null }],
    [false, "an object of another kind", declaring("id", "name"), { message: "Welcome" }],
    [false, "a text", declaring("id"), "hello"],
    [undefined, "an operation that declares none", anOperation(), { id: 1 }],
  ])("fit: %s for %s", (expected, _, operation, value) => {
    expect(fitsDeclaration(operation.facts.responses, json(value))).toBe(expected);
  });

  it("the declared fields of a response of an error are not asked for", () => {
    const operation = anOperation({ responses: [{ status: "404", fields: [field("error")] }] });
    expect(fitsDeclaration(operation.facts.responses, json({ error: "x" }))).toBeUndefined();
  });
});

describe("a response holds data", () => {
  it.each([
    [true, { user: { name: "Ada" } }],
    [true, [1]],
    [false, []],
    [false, { user: null, authenticated: false }],
    [false, { items: [], total: 0 }],
    [false, undefined],
  ])("%s: %j", (expected, value) => {
    expect(holdsData(value)).toBe(expected);
  });
});
