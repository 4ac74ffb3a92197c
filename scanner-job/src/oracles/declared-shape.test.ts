import { describe, expect, it } from "vitest";
import { anOperation, aReply } from "../testing/samples.ts";
import { fitsDeclaration, holdsData } from "./declared-shape.ts";

const field = (path: string) => ({ path, name: path, type: "string", readOnly: false, required: false });
const declaring = (...paths: string[]) =>
  anOperation({ responses: [{ status: "200", fields: paths.map(field) }] });
const json = (value: unknown) => aReply({ body: JSON.stringify(value) });

describe("the declared fields of an answer", () => {
  it.each([
    [true, "an object that has them", declaring("id", "name"), { id: 1, name: "Ada", more: 1 }],
    [true, "a list whose items have them", declaring("[].id", "[].owner.name"), [{ id: 1, owner: {} }]],
    [true, "half of them", declaring("users", "total"), { users: [], next: null }],
    [false, "an object of another kind", declaring("id", "name"), { message: "Welcome" }],
    [false, "a text", declaring("id"), "hello"],
    [undefined, "an operation that declares none", anOperation(), { id: 1 }],
  ])("fit: %s for %s", (expected, _, operation, value) => {
    expect(fitsDeclaration(operation, json(value))).toBe(expected);
  });

  it("of an error are not asked for", () => {
    const operation = anOperation({ responses: [{ status: "404", fields: [field("error")] }] });
    expect(fitsDeclaration(operation, json({ error: "x" }))).toBeUndefined();
  });
});

describe("an answer holds data", () => {
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
