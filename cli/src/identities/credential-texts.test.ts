import { expect, test } from "vitest";
import { credentialTexts } from "./credential-texts.ts";

test("the texts of credentials are those of all fields, with and without a scheme, and no short ones", () => {
  const texts = credentialTexts({
    name: "alice",
    role: "user",
    tenant: "harbour-company",
    headers: { Authorization: "Bearer token-of-alice", "X-Api-Version": "2" },
    cookies: { sid: "cookie-of-alice" },
    query: { api_key: "key-of-alice" },
    login: {
      operation: "POST /session",
      body: { user: [{ name: "alice@example.com", password: "password-of-alice", remember: true, id: 1 }] },
      refresh: { operation: "POST /refresh", body: { secret: "secret-of-the-client", kind: "web" } },
    },
  });
  expect(texts.toSorted()).toEqual([
    "Bearer token-of-alice",
    "alice@example.com",
    "cookie-of-alice",
    "key-of-alice",
    "password-of-alice",
    "secret-of-the-client",
    "token-of-alice",
  ]);
});

test("the texts of a form are among them", () => {
  const login = { operation: "POST /session", form: { password: "password-of-bob" } };
  expect(credentialTexts({ name: "bob", role: "user", login })).toEqual(["password-of-bob"]);
});
