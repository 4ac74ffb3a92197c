import { load } from "js-yaml";
import { expect, test } from "vitest";
import { toYaml } from "./examples.ts";

test("YAML is written in block style, lists below their key, in the order of the object", () => {
  const block = { c: 1, a: [{ x: "one", z: [] }, "two", [3]], page: "one: 1\n  two\n" };
  expect(toYaml({ block, empty: {}, none: null, gone: undefined })).toBe(`block:
  c: 1
  a:
    - x: one
      z: []
    - two
    - - 3
  page: |
    one: 1
      two
empty: {}
none: null
`);
});

test.each([
  ["words", "a scan of the API", "a scan of the API"],
  ["an address", "https://api.example/v1", "https://api.example/v1"],
  ["a path", "/order/order.json", "/order/order.json"],
  ["nothing", "", '""'],
  ["what reads as a number", "1", '"1"'],
  ["what reads as a truth value in YAML 1.1", "no", '"no"'],
  ["what reads as a time in YAML 1.1", "1:30", '"1:30"'],
  ["a colon before a space", "a: b", '"a: b"'],
  ["a colon at the end", "a:", '"a:"'],
  ["a comment", "a #b", '"a #b"'],
  ["a dash in front", "- a", '"- a"'],
  ["a line break", "a\nb", "|-\n  a\n  b"],
  ["an alias", "*a", '"*a"'],
  ["JSON", '{"a":1}', '"{\\"a\\":1}"'],
  ["both kinds of quotes", `a"b'`, `a"b'`],
  ["a space at the end", "a ", '"a "'],
])("%s is written so that it is read back as that text", (_, text, written) => {
  expect(toYaml({ key: text })).toBe(`key: ${written}\n`);
  expect(load(toYaml({ key: text }))).toEqual({ key: text });
});
