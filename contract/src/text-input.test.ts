import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inputEmail, inputLines, inputMoment, inputName, inputText, normalEmail } from "./text-input.ts";

describe("text of an input", () => {
  test.each(["\0", "a\u0001b", "a\nb", "\u007f", "\u0085", "\ud800", "\udc00x"])(
    "text of an input with %j is refused",
    (text) => {
      expect(inputText.safeParse(text).success).toBe(false);
    },
  );

  test.each(["", "Ada", "Zoë’s 検査", "👩‍🚀", "\u202e"])("%j is accepted as it is", (text) => {
    expect(inputText.parse(text)).toBe(text);
  });

  test("text of an input of several lines may have line breaks and tabs, and no other control character", () => {
    expect(inputLines.parse("one\r\n\ttwo")).toBe("one\r\n\ttwo");
    for (const text of ["\0", "\u001b[2J", "\u009b"]) expect(inputLines.safeParse(text).success).toBe(false);
  });

  test("text of an input that is a name is trimmed, and must have something left", () => {
    expect(inputName.parse("  build 7 ")).toBe("build 7");
    expect(inputName.safeParse("   ").success).toBe(false);
  });

  test("text of an input is accepted only if it survives JSON and UTF-8 unchanged", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        if (!inputText.safeParse(text).success) return;
        expect(Buffer.from(text, "utf8").toString("utf8")).toBe(text);
        expect(JSON.stringify(text)).not.toMatch(/\\u(00[01]|d[89a-f])/);
      }),
    );
  });
});

describe("a moment of an input", () => {
  test.each([
    "0000-01-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "9999-01-01T00:00:00Z",
    "9999-12-31T23:59:59-23:59",
    "1970-01-01T00:00:00+01:00",
    "tomorrow",
  ])("%s is refused", (text) => {
    expect(inputMoment({ offset: true }).safeParse(text).success).toBe(false);
  });

  test.each(["1970-01-01T00:00:00Z", "2026-11-24T05:46:00.123Z", "9998-12-31T23:59:59Z"])(
    "%s is accepted",
    (text) => {
      expect(inputMoment().safeParse(text).success).toBe(true);
    },
  );
});

describe("an e-mail address", () => {
  test("an e-mail address has one form, regardless of its case and the space around it", () => {
    expect(inputEmail.parse("  Ada.L@Example.COM ")).toBe("ada.l@example.com");
    expect(normalEmail("ADA@example.com")).toBe("ada@example.com");
  });

  // U+0130 is `i` to the lower() of some databases, U+212A is `k` to toLowerCase().
  test.each(["\u0130nitial@example.com", "\u212aay@example.com", "not an address", "a@b\0.com", ""])(
    "an e-mail address is not %j",
    (text) => {
      expect(normalEmail(text)).toBeUndefined();
    },
  );
});
