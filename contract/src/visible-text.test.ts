import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

describe("text of a target", () => {
  test.each([
    ["a right-to-left override", "a\u202eevil", "a⟦U+202E⟧evil"],
    ["isolates and marks of direction", "\u2066x\u2069\u200f\u061c", "⟦U+2066⟧x⟦U+2069⟧⟦U+200F⟧⟦U+061C⟧"],
    ["zero-width characters", "pass\u200bword\ufeff\u00ad", "pass⟦U+200B⟧word⟦U+FEFF⟧⟦U+00AD⟧"],
    [
      "control characters and escape sequences",
      "\u0000\u001b[2J\r\u0085",
      "⟦U+0000⟧⟦U+001B⟧[2J⟦U+000D⟧⟦U+0085⟧",
    ],
    ["line separators", "a\u2028b\u2029", "a⟦U+2028⟧b⟦U+2029⟧"],
    ["tags and fillers beyond the eye", "\u{e0041}\u3164", "⟦U+E0041⟧⟦U+3164⟧"],
    ["half a surrogate pair", "\ud800x", "⟦U+D800⟧x"],
  ])("shows %s by code point", (_, text, shown) => expect(visibleText(text)).toBe(shown));

  test.each(["GET /users/{id}", "line\n\tindented", "שלום, عربي, 漢字", "❤️ 😀", "⟦U+202E⟧"])(
    "text of a target is left as it is where everything is seen: %s",
    (text) => expect(visibleText(text)).toBe(text),
  );

  test("text of a target has nothing invisible left, and showing it again changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = visibleText(text);
        expect(shown).not.toMatch(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069]/,
        );
        expect(shown.isWellFormed()).toBe(true);
        expect(visibleText(shown)).toBe(shown);
      }),
    );
  });
});
