import fc from "fast-check";
import { expect, it } from "vitest";
import { nestsDeeper } from "./exchange.ts";
import { aResponse } from "../testing/samples.ts";

it.each([
  ["[[]]", 2, false],
  ["[[]]", 1, true],
  ['{"a":[{}]}', 2, true],
  ["[[],[],[]]", 2, false],
  ['["[[[[", "\\"[[[["]', 1, false],
  ['["\\\\",[[1]]]', 2, true],
  ["[[[[", 3, true],
  ["", 0, false],
])("%s with %d levels allowed: %s", (text, levels, deeper) => {
  expect(nestsDeeper(text, levels)).toBe(deeper);
});

it("a list within lists nests exactly as deep as it is wrapped", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 0 }), fc.integer({ min: 1, max: 50 }), (value, levels) => {
      let nested: unknown = value;
      for (let level = 0; level < levels; level++) nested = [nested];
      const text = JSON.stringify(nested);
      expect(nestsDeeper(text, levels)).toBe(false);
      expect(nestsDeeper(text, levels - 1)).toBe(true);
    }),
  );
});

it.each([
  [302, "/docs", "https://api.example/docs"],
  [301, "//other.invalid/x", "https://other.invalid/x"],
  [200, "https://other.invalid/", undefined],
  [302, "http://[", undefined],
])("a %i to %s leads to %s", (status, location, expected) => {
  expect(aResponse({ status, headers: { location } }).redirectTarget?.href).toBe(expected);
});

it("a redirect without a location leads nowhere", () =>
  expect(aResponse({ status: 304 }).redirectTarget).toBeUndefined());
