import { expect, test } from "vitest";
import { jsonValues, textValues } from "./text-values.ts";

test.each([
  ["YAML", "a:\n  - {id: 0012, day: 2027-01-31, on: true}\n"],
  ["JSON", '{"a": [{"id": "0012", "day": "2027-01-31", "on": "true"}]}'],
])("%s is read with all its scalars as text", (_, text) => {
  expect(textValues(text)).toEqual({ a: [{ id: "0012", day: "2027-01-31", on: "true" }] });
});

test.each([
  ["YAML", "a: [0012, 2027-01-31, true, null, 'x']"],
  ["JSON", '{"a": [12, "2027-01-31", true, null, "x"]}'],
])("%s is read with the types of JSON, a date as text", (_, text) => {
  expect(jsonValues(text)).toEqual({ value: { a: [12, "2027-01-31", true, null, "x"] } });
});

test("text that is neither is refused", () => {
  expect(() => textValues("a: [")).toThrow();
});

test("text that is neither is located by its line, and not quoted", () => {
  expect(jsonValues("a: [s3cret\nb: c: d")).toEqual({ line: 2 });
});
