import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markDifferences, type Segment } from "./diff.ts";

const shown = (segments: readonly Segment[]): string =>
  segments.map(({ text, differs }) => (differs ? `[${text}]` : text)).join("");
const joined = (segments: readonly Segment[]): string => segments.map(({ text }) => text).join("");

describe("two texts side by side", () => {
  test.each([
    ["a word that differs is marked", "GET /users/17", "GET /users/18", "GET /users/[17]", "GET /users/[18]"],
    ["what one side adds is marked there", '{"a":1}', '{"a":1,"b":2}', '{"a":1}', '{"a":1[,"b":2]}'],
    ["equal texts have no mark", "HTTP 200\nok", "HTTP 200\nok", "HTTP 200\nok", "HTTP 200\nok"],
    ["an empty side marks the whole other one", "", "all of it", "", "[all of it]"],
    ["lines in the middle stay common", "a\nb\nc", "x\nb\ny", "[a]\nb\n[c]", "[x]\nb\n[y]"],
  ])("%s", (_, left, right, markedLeft, markedRight) => {
    const marked = markDifferences(left, right);
    expect([shown(marked.left), shown(marked.right)]).toEqual([markedLeft, markedRight]);
  });

  test("keep their text, and what is not marked is the same on both sides", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        const marked = markDifferences(a, b);
        expect([joined(marked.left), joined(marked.right)]).toEqual([a, b]);
        const common = (segments: Segment[]) => joined(segments.filter(({ differs }) => !differs));
        expect(common(marked.left)).toBe(common(marked.right));
      }),
    );
  });

  test("two texts side by side that are long are compared by their start and end, without a table of their product", () => {
    const middle = (word: string): string => `${word} `.repeat(5_000);
    const marked = markDifferences(`same ${middle("x")}end`, `same ${middle("y")}end`);
    expect(marked.left.map(({ differs }) => differs)).toEqual([false, true, false]);
    expect(joined(marked.right)).toBe(`same ${middle("y")}end`);
  });
});
