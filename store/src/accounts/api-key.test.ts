import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hashApiKey, isApiKey, newApiKey } from "./api-key.ts";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const key = fc
  .string({ unit: fc.constantFrom(...LETTERS), minLength: 43, maxLength: 43 })
  .map((secret) => `gbx_${secret}${crc32(`gbx_${secret}`).toString(16).padStart(8, "0")}`);

describe("newApiKey", () => {
  test("makes gbx_, 43 letters or digits and the CRC-32 of all before it", () => {
    for (let run = 0; run < 200; run++) {
      const made = newApiKey();
      expect(made).toMatch(/^gbx_[0-9A-Za-z]{43}[0-9a-f]{8}$/);
      expect(Number.parseInt(made.slice(-8), 16)).toBe(crc32(made.slice(0, 47)));
      expect(isApiKey(made)).toBe(true);
    }
  });

  test("never makes the same key twice, and uses the whole alphabet", () => {
    const made = Array.from({ length: 300 }, newApiKey);
    expect(new Set(made).size).toBe(300);
    expect(new Set(made.flatMap((text) => [...text.slice(4, 47)])).size).toBe(62);
  });
});

describe("isApiKey", () => {
  test("takes every key of the right shape and checksum, leading zeros in it too", () => {
    fc.assert(
      fc.property(key, (text) => {
        expect(isApiKey(text)).toBe(true);
      }),
    );
  });

  test("refuses a key with one character mistyped", () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 4, max: 54 }), fc.constantFrom(...LETTERS), (text, at, letter) => {
        fc.pre(text[at] !== letter);
        expect(isApiKey(text.slice(0, at) + letter + text.slice(at + 1))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test("refuses a key with two neighbours swapped", () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 4, max: 53 }), (text, at) => {
        fc.pre(text[at] !== text[at + 1]);
        expect(isApiKey(text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2))).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });

  test("refuses a key cut short or with anything before or behind it", () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 0, max: 54 }), fc.string({ minLength: 1 }), (text, length, more) => {
        expect(isApiKey(text.slice(0, length))).toBe(false);
        expect(isApiKey(text + more)).toBe(false);
        expect(isApiKey(more + text)).toBe(false);
      }),
    );
  });

  test("refuses any other text without throwing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(isApiKey(text)).toBe(false);
      }),
    );
  });
});

test("hashApiKey is the SHA-256 of the whole key in hex", () => {
  expect(hashApiKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
