import { describe, expect, it } from "vitest";
import { personalRows } from "./personal-rows.ts";

const people = [
  { name: "Ada King", email: "ada@acme.test", ssn: "123-45-6789", phone: "+44 20 7946 0000" },
  { name: "Grace Hopper", email: "grace@acme.test", ssn: "987-65-4321", phone: "+44 20 7946 0001" },
];

describe("personalRows", () => {
  it("names what two rows tell of people", () => {
    expect(personalRows({ data: people })).toEqual({
      rows: 2,
      intimate: ["identity number"],
      contact: ["e-mail address", "telephone number", "name"],
    });
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
    ["nothing", undefined],
  ])("finds nothing in %s", (_, json) => {
    expect(personalRows(json)).toEqual({ rows: 0, intimate: [], contact: [] });
  });
});
