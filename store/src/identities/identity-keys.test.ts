import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  IdentitiesUnreadable,
  newIdentityKey,
  parseIdentityKeys,
  type CiphertextOwner,
} from "./identity-keys.ts";

const [OLD, NEW] = [newIdentityKey(), newIdentityKey()];
const keys = parseIdentityKeys(NEW);
const owner: CiphertextOwner = {
  kind: "scan",
  accountId: "a-1",
  id: "scan-1",
  origin: "https://api.example",
};

describe("an encrypted value", () => {
  test("any text is decrypted for its owner", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(keys.decrypt(keys.encrypt(text, owner), owner)).toBe(text);
      }),
    );
  });

  test("differs each time and does not contain the text", () => {
    const secret = "correct horse battery staple";
    const [one, other] = [keys.encrypt(secret, owner), keys.encrypt(secret, owner)];
    expect(one).not.toBe(other);
    expect(Buffer.from(one.split(".")[3]!, "base64url").toString("latin1")).not.toContain("horse");
  });

  test.each<[string, Partial<CiphertextOwner>]>([
    ["another scan", { id: "scan-2" }],
    ["another account", { accountId: "a-2" }],
    ["another target", { origin: "https://attacker.example" }],
    ["a set of the same id", { kind: "set" }],
  ])("an encrypted value cannot be decrypted for %s", (_, other) => {
    const stored = keys.encrypt("secret", owner);
    expect(() => keys.decrypt(stored, { ...owner, ...other })).toThrow(IdentitiesUnreadable);
  });

  test("an encrypted value that was changed anywhere cannot be decrypted", () => {
    const stored = keys.encrypt("secret", owner);
    for (let index = 0; index < stored.length; index++) {
      const changed = stored.slice(0, index) + (stored[index] === "A" ? "Q" : "A") + stored.slice(index + 1);
      expect(() => keys.decrypt(changed, owner)).toThrow(IdentitiesUnreadable);
    }
  });

  test.each(["", "1", "1.a.b.c", "2.a.b.c", "secret"])(
    "an encrypted value that is none, as %j, is refused",
    (stored) => {
      expect(() => keys.decrypt(stored, owner)).toThrow(IdentitiesUnreadable);
    },
  );
});

describe("a file with several keys", () => {
  const before = parseIdentityKeys(OLD).encrypt("secret", owner);

  test("decrypts with each of them and encrypts with the first", () => {
    const rotated = parseIdentityKeys(`# since November\n${NEW}\n\n${OLD}\n`);
    expect(rotated.decrypt(before, owner)).toBe("secret");
    expect(before.startsWith(rotated.prefix)).toBe(false);
    const after = rotated.encrypt("secret", owner);
    expect(after.startsWith(rotated.prefix)).toBe(true);
    expect(keys.decrypt(after, owner)).toBe("secret");
  });

  test("a file with several keys no longer decrypts with a key that was removed", () => {
    expect(() => keys.decrypt(before, owner)).toThrow(IdentitiesUnreadable);
  });
});

test("a digest is equal for equal texts, and differs with the text and the key", () => {
  expect(keys.digest("body")).toBe(parseIdentityKeys(NEW).digest("body"));
  expect(keys.digest("body")).not.toBe(keys.digest("Body"));
  expect(keys.digest("body")).not.toBe(parseIdentityKeys(OLD).digest("body"));
});

test.each([
  ["", "has no key"],
  ["# only a comment\n", "has no key"],
  [`${NEW}\nhunter2`, "line 2: must be 32 random bytes in base64, as `openssl rand -base64 32` prints"],
  ["A".repeat(44), "line 1: must be 32 random bytes in base64, as `openssl rand -base64 32` prints"],
  [`${NEW}\n\n${NEW}`, "line 3: is the key of an earlier line"],
])("the file %j is refused with the reason", (text, reason) => {
  expect(() => parseIdentityKeys(text)).toThrow(new Error(reason));
});
