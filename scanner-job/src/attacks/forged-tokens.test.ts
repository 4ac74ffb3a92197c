import { expect, it } from "vitest";
import { jsonWebToken, plausibleClaims } from "./forged-tokens.ts";

it("makes three parts, of which the first two are JSON in base64url and the last is the signature given", () => {
  const [header, claims, signature] = jsonWebToken({ alg: "none" }, plausibleClaims("1"), "sig").split(".");
  const decoded = [header!, claims!].map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  expect(decoded).toEqual([
    { typ: "JWT", alg: "none" },
    expect.objectContaining({ sub: "1", exp: 4_102_444_800 }),
  ]);
  expect(signature).toBe("sig");
});

it("ends in a dot when there is no signature", () => {
  expect(jsonWebToken({ alg: "none" }, {})).toMatch(/^[\w-]+\.[\w-]+\.$/);
});
