import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { storableJson, storableText } from "./storable.ts";

const hostileText = fc.string({
  unit: fc.constantFrom("a", "\0", "\ud800", "\udc00", "\\", "u0000", "é", "😀"),
});
const hostileValue = fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText), fc.integer()));

describe("text for PostgreSQL", () => {
  test.each([
    ["plain", "plain"],
    ["nul \0 inside", "nul \u{FFFD} inside"],
    ["lone \ud800 surrogate", "lone \u{FFFD} surrogate"],
    ["a pair 😀", "a pair 😀"],
    ["a literal \\u0000", "a literal \\u0000"],
  ])("%j is stored as %j", (given, expected) => {
    expect(storableText(given)).toBe(expected);
    expect(JSON.parse(storableJson({ text: given, [given]: [given] }))).toEqual({
      text: expected,
      [expected]: [expected],
    });
  });

  test("no value, however nested, leaves a NUL or a lone surrogate in its JSON", () => {
    fc.assert(
      fc.property(hostileValue, (value) => {
        const read: unknown = JSON.parse(storableJson(value), (name, entry: unknown) => {
          for (const text of [name, entry])
            if (typeof text === "string") expect(text.isWellFormed() && !text.includes("\0")).toBe(true);
          return entry;
        });
        expect(read).toBeDefined();
      }),
    );
  });

  test("a value without such texts is stored as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        fc.pre(!/\\u(0000|d[89a-f])/.test(text));
        expect(storableJson(value)).toBe(text);
      }),
    );
  });
});
