import { expect, it } from "vitest";
import { jsonWebToken, signedToken } from "./forged-tokens.ts";
import { crackedKey, tokensIn } from "./token-keys.ts";

const claims = { sub: "1", iat: 1 };

it.each([
  ["a common key", "secret", "secret"],
  ["one of the host's name", "larkfield_secret", "larkfield_secret"],
])("finds %s", (_, key, found) => {
  expect(crackedKey(signedToken(key, claims), ["api.larkfield.test"])).toBe(found);
});

it("finds a common key that was given in base64", () => {
  expect(crackedKey(signedToken(Buffer.from("secretkey", "base64"), claims), [])).toBe("secretkey");
});

it.each([
  ["a random key", signedToken("kX0pW3vZr8", claims)],
  ["a token without HMAC", jsonWebToken({ alg: "RS256" }, claims, "secretsecretsecret")],
  ["no token", "a.b.c"],
])("finds nothing for %s", (_, token) => {
  expect(crackedKey(token, [])).toBeUndefined();
});

it("takes tokens out of a text, each once", () => {
  const token = signedToken("secret", claims);
  expect(tokensIn(`{"a":"${token}","b":"${token}"} eyJ.eyJ.x`)).toEqual([token]);
});
