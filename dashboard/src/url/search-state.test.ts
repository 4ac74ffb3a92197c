import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { oneOf, page, searchOf, someOf, text, withChange } from "./search-state.ts";

const read = searchOf({
  q: text,
  page,
  sort: oneOf(["newest", "oldest"]),
  severity: someOf(["critical", "high", "low"]),
});

describe("the query of a list", () => {
  test.each([
    ["a search, a page and a sort order", { q: "orders", page: 3, sort: "oldest" }, undefined],
    ["severities in their order", { severity: ["low", "critical"] }, { severity: ["critical", "low"] }],
    ["one severity alone", { severity: "high" }, { severity: ["high"] }],
    ["a search for a number", { q: 17 }, { q: "17" }],
    ["nothing of what is unknown", { admin: true, sort: "random", page: -1, severity: ["x"] }, {}],
    ["no first page", { page: 1 }, {}],
    ["no page that is not a number", { page: "2; drop" }, {}],
  ])("gives %s", (_, search, expected) => expect(read(search)).toEqual(expected ?? search));

  test("the query of a list is read without an error with any content, and read again is the same", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("q", "page", "sort", "severity", "x"), fc.anything()),
        (search) => {
          const once = read(search);
          expect(read(once)).toEqual(once);
        },
      ),
    );
  });
});

describe("a change of the filter", () => {
  test("goes back to the first page", () => {
    expect(withChange({ q: "a", page: 4 }, { q: "b" })).toEqual({ q: "b" });
  });
  test("a change of the filter of the page keeps the filter", () => {
    expect(withChange({ q: "a", page: 4 }, { page: 5 })).toEqual({ q: "a", page: 5 });
  });
  test("a change of the filter to the first page, or to nothing, leaves the field out", () => {
    expect(withChange({ q: "a", page: 2 }, { page: 1 })).toEqual({ q: "a" });
    expect(withChange({ q: "a", page: 2 }, { q: "" })).toEqual({});
  });
});
