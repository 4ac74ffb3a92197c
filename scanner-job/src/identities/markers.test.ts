import { describe, expect, it } from "vitest";
import { concerns, isNamedInText, markersOf, ownerMemberIn, type Markers } from "./markers.ts";

const [me, settings, suggestion] = [{}, {}, {}];
const alice = { id: 11, username: "alice", email: "alice@users.example", role: "user", tenantId: "acme" };
const bob = { id: 12, username: "robert", email: "bob@users.example", role: "user", tenantId: "acme" };
const reads = (user: typeof alice, ofMe: unknown = user) => [
  { operation: me, json: ofMe },
  { operation: settings, json: { userId: user.id, theme: "dark" } },
  { operation: suggestion, json: [{ userId: user.id + 50, email: `${user.id}@others.example` }] },
];
const UUID = "0b3ff1a6-52a0-4f7e-9d80-5d8e1c3d9a11";
const markers: Markers = {
  ids: new Set(["11", UUID]),
  names: new Set(["alice"]),
  emails: new Set(["alice@users.example"]),
  tenants: new Set(),
};

describe("markersOf", () => {
  it("takes what differs between callers in a response that names its caller", () => {
    expect(markersOf(reads(alice), [reads(bob)])).toEqual({
      ids: new Set(["11"]),
      names: new Set(["alice"]),
      emails: new Set(["alice@users.example"]),
      tenants: new Set(),
    });
  });

  it("looks into an envelope", () => {
    const wrapped = (user: typeof alice) => reads(user, { success: true, data: user });
    expect(markersOf(wrapped(alice), [wrapped(bob)]).emails).toEqual(new Set(["alice@users.example"]));
  });

  it("learns tenants that differ", () => {
    const other = { ...bob, tenantId: "globex" };
    expect(markersOf(reads(alice), [reads(other)]).tenants).toEqual(new Set(["acme"]));
  });

  it("learns nothing of an object that differs but names nobody, such as a basket", () => {
    const basket = (id: number) => [{ operation: me, json: { id, items: [] } }];
    expect(markersOf(basket(1), [basket(2)]).ids.size).toBe(0);
  });

  it("learns nothing of what all callers get", () => {
    expect(markersOf(reads(alice), [reads(alice)]).emails.size).toBe(0);
  });
});

describe("ownerMemberIn", () => {
  it.each<[string, unknown, string | undefined]>([
    ["an id under the name of an owner", { id: 5, userId: 11 }, "userId"],
    ["an account inside an object", { id: 5, customer: { id: 11, name: "Alice" } }, "customer.id"],
    ["an e-mail address anywhere", { id: 5, contact: "Alice@Users.example" }, "contact"],
    ["a UUID that is no small number", { id: 5, holderRef: UUID }, "holderRef"],
    ["a row of a list", [{ id: 5, ownerId: 11 }], "ownerId"],
    ["the object's own id", { id: 11, title: "Lamp" }, undefined],
    ["a number that is also the id of the owner", { id: 5, quantity: 11 }, undefined],
    ["the author of what is published", { id: 5, authorId: 11 }, undefined],
    ["the public profile of the owner", { id: 11, username: "alice", bio: "Tea" }, undefined],
  ])("ownerMemberIn of %s", (_, json, name) => {
    expect(ownerMemberIn(json, markers)).toBe(name);
  });
});

describe("concerns", () => {
  it.each<[string, unknown, boolean]>([
    ["an object with the caller among its members", { id: 5, members: [7, 11] }, true],
    ["an object that is shared with the caller", { id: 5, sharedWith: [{ username: "alice" }] }, true],
    ["an object of somebody else", { id: 5, userId: 12, members: [7] }, false],
  ])("%s", (_, json, isConcerned) => {
    expect(concerns(json, markers)).toBe(isConcerned);
  });
});

describe("isNamedInText", () => {
  it.each<[string, boolean]>([
    ["Invoice to alice@users.example", true],
    ["name: Alice, total: 3", true],
    [`key ${UUID}`, true],
    ["Malice in wonderland", false],
    ["total: 11", false],
  ])("%s", (text, isNamed) => {
    expect(isNamedInText(text, markers)).toBe(isNamed);
  });
});
