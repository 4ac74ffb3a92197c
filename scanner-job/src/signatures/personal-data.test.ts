import { describe, expect, it } from "vitest";
import { personalFields, personalRows } from "./personal-data.ts";

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
  ])("personal fields are seen in %s", (_, json, expected) => {
    expect(personalFields(json)).toMatchObject(expected);
  });

  it.each([
    ["a product", { id: 1, title: "Mug", price: 9 }],
    ["a post with its author", { id: 1, userId: 3, title: "Hello" }],
    ["a shop that can be written to", { name: "Mill Lane", city: "Leeds", email: "shop@b.test", phone: "1" }],
    ["an owner without a value", { id: 1, owner: null, ssn: "" }],
    ["a text", "owner"],
  ])("personal fields are not seen in %s", (_, json) => {
    expect(personalFields(json)).toEqual(NONE);
  });

  it("personal fields are not searched for beyond a depth limit", () => {
    let deep: unknown = { ssn: "536-90-4399" };
    for (let depth = 0; depth < 50_000; depth++) deep = { deep };
    expect(personalFields(deep)).toEqual(NONE);
  });
});

const people = [
  { name: "Ada King", email: "ada@acme.test", ssn: "123-45-6789", phone: "+44 20 7946 0000" },
  { name: "Grace Hopper", email: "grace@acme.test", ssn: "987-65-4321", phone: "+44 20 7946 0001" },
];

describe("personalRows", () => {
  it("names the personal data in two rows", () => {
    expect(personalRows({ data: people })).toEqual({
      rows: 2,
      intimate: ["identity number"],
      contact: ["e-mail address", "telephone number", "name"],
    });
  });

  it("names birthdays and diagnoses of people who can be reached", () => {
    const patients = people.map((person, index) => ({
      ...person,
      dob: `199${index}-01-01`,
      diagnosis: `D${index}`,
    }));
    expect(personalRows(patients).intimate).toEqual(["identity number", "date of birth", "diagnosis"]);
  });

  it.each([
    [
      "birthdays of the famous",
      [
        { name: "Marie Curie", birthDate: "1867-11-07" },
        { name: "Ada Lovelace", birthDate: "1815-12-10" },
      ],
    ],
    [
      "a catalogue of medications",
      [
        { id: 1, name: "Aspirin", medication: "acetylsalicylic acid" },
        { id: 2, name: "Ibuprofen", medication: "ibuprofen" },
      ],
    ],
  ])("finds nothing that nobody publishes in %s", (_, json) => {
    expect(personalRows(json)).toMatchObject({ intimate: [], contact: ["name"] });
  });

  it.each([
    ["one row", people.slice(0, 1)],
    ["the same value in every row", [{ email: "ada@acme.test" }, { email: "ada@acme.test" }]],
    ["mailboxes of an office", [{ email: "info@acme.test" }, { email: "support@acme.test" }]],
    ["masked values", [{ ssn: "***-**-6789" }, { ssn: "***-**-4321" }]],
    [
      "things",
      [
        { id: 1, title: "Chair" },
        { id: 2, title: "Table" },
      ],
    ],
    ["no list", { email: "ada@acme.test" }],
    [
      "what an encyclopedia tells",
      [
        { name: "Tom Hanks", birthday: "1956-07-09", knownFor: "Acting", email: "tom@agency.test" },
        { name: "Meryl Streep", birthday: "1949-06-22", knownFor: "Acting", email: "meryl@agency.test" },
      ],
    ],
    [
      "shops",
      [
        {
          name: "Mill Lane",
          streetAddress: "1 Mill Lane",
          phone: "+44 20 7946 0000",
          email: "mill@b.test",
          openingHours: "9-5",
        },
        {
          name: "High Street",
          streetAddress: "2 High Street",
          phone: "+44 20 7946 0001",
          email: "high@b.test",
          openingHours: "9-5",
        },
      ],
    ],
    ["nothing", undefined],
  ])("finds nothing in %s", (_, json) => {
    expect(personalRows(json)).toEqual({ rows: 0, intimate: [], contact: [] });
  });
});
