import { expect, test } from "vitest";
import { textValues } from "./text-values.ts";

test.each([
  ["YAML", "a:\n  - {id: 0012, day: 2027-01-31, on: true}\n"],
  ["JSON", '{"a": [{"id": "0012", "day": "2027-01-31", "on": "true"}]}'],
])("%s is read with all its scalars as text", (_, text) => {
  expect(textValues(text)).toEqual({ a: [{ id: "0012", day: "2027-01-31", on: "true" }] });
});

test("text that is neither is refused", () => {
  expect(() => textValues("a: [")).toThrow();
});
