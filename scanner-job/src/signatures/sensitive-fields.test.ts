import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { kindOfName, sensitiveFields } from "./sensitive-fields.ts";

const JWT_LIKE = "9f86d081884c7d659a2feaa0c55ad015";

describe("a field with a secret", () => {
  it.each([
    ["a bcrypt hash", { passwordHash: "$2b$10$N9qo8uLOickgx2ZMRZoMye" }, "password"],
    ["a plain password", { password: "hunter2!" }, "password"],
    ["a hash under a snake-case name", { password_hash: JWT_LIKE }, "password"],
    ["an API token", { apiToken: `lk_live_${JWT_LIKE}` }, "token"],
    ["a client secret", { client_secret: "s3cr3tvalue" }, "secret"],
    ["a social security number", { ssn: "536-90-4399" }, "identity number"],
    ["a card number", { cardNumber: "4111 1111 1111 1111" }, "card number"],
    ["a card's code", { cvv: 123 }, "card code"],
  ])("a field with a secret is found: %s", (_, json, kind) => {
    expect(sensitiveFields([json]).map((field) => field.kind)).toEqual([kind]);
  });

  it.each([
    ["a masked password", { password: "********" }],
    ["a partly masked card", { cardNumber: "411111******1111" }],
    ["a flag", { password: true }],
    ["nothing", { ssn: null, password: "" }],
    ["an explanation", { password: "must have eight characters" }],
    ["a position in a list", { pageToken: JWT_LIKE, nextToken: JWT_LIKE }],
    ["a publishable key", { apiKey: "AIzaSyA1234567890abcdefghij" }],
    ["a number that is not a card's", { cardNumber: "4111111111111112" }],
    ["the type of a field", { password: "string", apiKey: "string" }],
    ["a hash of a file", { hash: JWT_LIKE }],
  ])("a field with a secret is not seen in %s", (_, json) => expect(sensitiveFields(json)).toEqual([]));

  it.each([
    ["translations", { login: "Anmelden", username: "Benutzername", password: "Kennwort" }],
    ["translations one by one", { de: { password: "Passwort" }, fr: { password: "Motdepasse" } }],
  ])("a field with a secret is not a label of %s", (_, json) => expect(sensitiveFields(json)).toEqual([]));

  it("a field with a secret is a password of letters alone beside a user's name or id", () => {
    expect(sensitiveFields({ id: 7, password: "sunshine" })).toHaveLength(1);
    expect(sensitiveFields([{ email: "ada@acme.test", password: "sunshine" }])).toHaveLength(1);
  });

  it("a field with a secret is named by its path once, however many items have it, and is not shown", () => {
    const users = [1, 2, 3].map((id) => ({ id, auth: { ssn: `536-90-439${id}` } }));
    const [field, ...others] = sensitiveFields({ users });
    expect(others).toEqual([]);
    expect(field).toEqual({
      path: "users[].auth.ssn",
      kind: "identity number",
      value: "536-90-4391",
      masked: "53… (11 characters)",
    });
  });

  it("a field with a secret is searched for in any JSON without an error", () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => void sensitiveFields(json)));
  });

  it("a field with a secret has a kind by its name", () => {
    expect(["Password", "api-key", "name", "tokenCount"].map(kindOfName)).toEqual([
      "password",
      "token",
      undefined,
      undefined,
    ]);
  });
});
