import { describe, expect, it } from "vitest";
import { personalFields } from "./personal-fields.ts";

const NONE = { intimate: [], owned: [] };

describe("personal fields", () => {
  it.each([
    ["an identity number", { name: "Ada", ssn: "536-90-4399" }, { intimate: ["ssn"], owned: [] }],
    [
      "a date of birth, however it is written",
      { date_of_birth: "1985-12-10" },
      { intimate: ["date_of_birth"] },
    ],
    ["an owner", { id: 1, ownerId: "u1", amount: 3 }, { owned: ["ownerId"] }],
    ["a person's e-mail address", { username: "ada", email: "a@b.test" }, { owned: ["email"] }],
    [
      "a person inside a list inside an object",
      { data: [{ lastName: "B", phone: "1" }] },
      { owned: ["phone"] },
    ],
  ])("are seen in %s", (_, json, expected) => {
    expect(personalFields(json)).toMatchObject(expected);
  });

  it.each([
    ["a product", { id: 1, title: "Mug", price: 9 }],
    ["a post with its author", { id: 1, userId: 3, title: "Hello" }],
    ["a shop that can be written to", { name: "Mill Lane", city: "Leeds", email: "shop@b.test", phone: "1" }],
    ["an owner without a value", { id: 1, owner: null, ssn: "" }],
    ["a text", "owner"],
  ])("are not seen in %s", (_, json) => {
    expect(personalFields(json)).toEqual(NONE);
  });

  it("are not looked for beyond a bound of depth", () => {
    let deep: unknown = { ssn: "536-90-4399" };
    for (let depth = 0; depth < 50_000; depth++) deep = { deep };
    expect(personalFields(deep)).toEqual(NONE);
  });
});
