import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { findTokens } from "./find-token.ts";

const part = (claims: object): string => Buffer.from(JSON.stringify(claims)).toString("base64url");
const JWT = `${part({ alg: "HS256" })}.${part({ sub: "1", iat: 1_000, exp: 1_600 })}.c2lnbmF0dXJl`;
const none = { headers: {} };

describe("the token of a sign-in is found", () => {
  it.each<[string, unknown, string]>([
    ["by its name", { access_token: "abcdefgh12" }, "abcdefgh12"],
    ["in camel case", { accessToken: "abcdefgh12" }, "abcdefgh12"],
    ["in nested members", { data: { session: { token: "abcdefgh12" } } }, "abcdefgh12"],
    ["beside a refresh token", { refreshToken: "rrrrrrrrrr", token: "abcdefgh12" }, "abcdefgh12"],
    [
      "beside a token against request forgery",
      { csrfToken: "cccccccccc", session_id: "abcdefgh12" },
      "abcdefgh12",
    ],
    ["by its form, whatever its name", { result: { bearerValue: JWT } }, JWT],
    ["as the whole body", JWT, JWT],
    ["by a name that ends in token", { shopToken: "abcdefgh12" }, "abcdefgh12"],
  ])("%s", (_, json, token) => {
    expect(findTokens({ ...none, json }).access).toBe(token);
  });

  it("the token of a sign-in is found in the header Authorization", () => {
    expect(findTokens({ headers: { authorization: "Bearer abcdefgh12" }, json: {} }).access).toBe(
      "abcdefgh12",
    );
  });

  it("only at the JSON pointer, where one is given", () => {
    const json = { token: "wrong-token-1", "a/b": [{ value: "abcdefgh12" }] };
    expect(findTokens({ ...none, json }, "/a~1b/0/value").access).toBe("abcdefgh12");
    expect(findTokens({ ...none, json }, "/absent").access).toBeUndefined();
  });
});

it.each<[string, unknown]>([
  ["a message", { message: "Signed in as token holder" }],
  ["a type of token", { token_type: "bearer-token" }],
  ["a user", { id: 1, email: "alice@example.com" }],
])("%s is not taken for a token", (_, json) => {
  expect(findTokens({ ...none, json }).access).toBeUndefined();
});

it("the lifetime is what the response states, else what the JSON Web Token does", () => {
  expect(
    findTokens({ ...none, json: { access_token: "abcdefgh12", expires_in: 300 } }).expiresInSeconds,
  ).toBe(300);
  expect(findTokens({ ...none, json: { token: JWT } }).expiresInSeconds).toBe(600);
  expect(findTokens({ ...none, json: { token: "abcdefgh12" } }).expiresInSeconds).toBeUndefined();
});

it("the refresh token is found beside it", () => {
  expect(
    findTokens({ ...none, json: { data: { access: "abcdefgh12", refresh: "rrrrrrrrrr" } } }),
  ).toMatchObject({
    access: "abcdefgh12",
    refresh: "rrrrrrrrrr",
  });
});
