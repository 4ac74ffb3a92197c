import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idsInLinks, idsInList, idsMentioned, singular, type Wanted } from "./find-ids.ts";

const wanted = (name = "id", type: Wanted["parameter"]["type"] = "string", collection = "users"): Wanted => ({
  parameter: { name, type },
  collection,
});

describe("idsInList", () => {
  it.each<[string, unknown, Wanted, string[]]>([
    ["items of a list", [{ id: 1 }, { id: 2 }], wanted(), ["1", "2"]],
    ["items in an envelope", { data: { items: [{ id: "a" }] }, total: 1 }, wanted(), ["a"]],
    ["embedded resources", { _embedded: { users: [{ userId: 7 }] } }, wanted(), ["7"]],
    ["the member with the parameter's name", [{ id: 1, slug: "x" }], wanted("slug"), ["x"]],
    ["regardless of the case of the name", [{ User_ID: 3 }], wanted("userId"), ["3"]],
    ["documents of MongoDB", [{ _id: "507f1f77bcf86cd799439011" }], wanted(), ["507f1f77bcf86cd799439011"]],
    [
      "a UUID where there is no id",
      [{ uuid: "3f2a7c1e-5b64-4d8e-9a10-6c7d8e9f0a1b" }],
      wanted(),
      ["3f2a7c1e-5b64-4d8e-9a10-6c7d8e9f0a1b"],
    ],
    ["a list of ids", [4, 5], wanted(), ["4", "5"]],
    ["a map by id", { "11": { name: "A" }, "12": { name: "B" } }, wanted(), ["11", "12"]],
    ["only integers for an integer parameter", [{ id: "x" }, { id: 6 }], wanted("id", "integer"), ["6"]],
    [
      "no members that are not ids",
      [{ id: null }, { id: true }, { id: "two words" }, { id: 1.5 }],
      wanted(),
      [],
    ],
    ["nothing in one object", { id: 1, name: "one" }, wanted(), []],
    ["nothing in no JSON", undefined, wanted(), []],
    ["ten at most", Array.from({ length: 50 }, (_, id) => ({ id })), wanted(), [..."0123456789"]],
  ])("gives %s", (_, json, what, ids) => {
    expect(idsInList(json, what)[0] ?? []).toEqual(ids);
  });

  it.each<[string, unknown, Wanted, string[][]]>([
    [
      "a reference beside an id",
      [
        { id: 1, reference: "ORD-7781", total: 12 },
        { id: 2, reference: "ORD-7782", total: 12 },
      ],
      wanted("orderId", "string", "orders"),
      [
        ["1", "2"],
        ["ORD-7781", "ORD-7782"],
      ],
    ],
    [
      "a member whose values alone look like ids",
      [{ handel: "507f1f77bcf86cd799439011", colour: "red" }],
      wanted("sku", "string", "products"),
      [["507f1f77bcf86cd799439011"]],
    ],
    [
      "a member inside the items",
      [
        { type: "products", attributes: { sku: "AB-12" } },
        { type: "products", attributes: { sku: "AB-13" } },
      ],
      wanted("productId", "string", "products"),
      [["AB-12", "AB-13"]],
    ],
    [
      "no member that several items share",
      [
        { country_code: "ch", number: "7-1" },
        { country_code: "ch", number: "7-2" },
      ],
      wanted("orderId", "string", "orders"),
      [["7-1", "7-2"]],
    ],
  ])("gives the values of %s", (_, json, what, members) => {
    expect(idsInList(json, what)).toEqual(members);
  });

  it("never throws, for any response", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        for (const id of [...idsInList(json, wanted()).flat(), ...idsMentioned(json, wanted())])
          expect(id).not.toBe("");
      }),
    );
  });
});

describe("idsMentioned", () => {
  it.each<[string, unknown, string[]]>([
    ["an id under the thing's name", { orders: [{ id: 1, userId: 8 }] }, ["8"]],
    ["snake case", [{ user_id: "9" }], ["9"]],
    ["an embedded object", [{ user: { id: 5, name: "A" } }], ["5"]],
    ["an embedded list", { team: { users: [{ id: 2 }, { id: 3 }] } }, ["2", "3"]],
    ["no ids of other things", [{ id: 1, orderId: 2 }], []],
  ])("finds %s", (_, json, ids) => {
    expect(idsMentioned(json, wanted())).toEqual(ids);
  });
});

describe("idsInLinks", () => {
  it.each<[string, unknown, string[]]>([
    ["a path", { self: "/users/12" }, ["12"]],
    ["an address", { links: [{ href: "https://api.test/users/ab-1?x=1" }] }, ["ab-1"]],
    ["no longer path", { self: "/users/12/orders" }, []],
    ["no other path", { self: "/orders/12" }, []],
  ])("finds ids in %s", (_, json, ids) => {
    expect(idsInLinks(json, "/users/{id}", wanted())).toEqual(ids);
  });
});

describe("singular", () => {
  it.each([
    ["users", "user"],
    ["categories", "category"],
    ["addresses", "address"],
    ["boxes", "box"],
    ["address", "address"],
    ["news", "new"],
    ["staff", "staff"],
  ])("singular of %s is %s", (plural, one) => {
    expect(singular(plural)).toBe(one);
  });
});
