import { describe, expect, test } from "vitest";
import { toYaml } from "./yaml.ts";

describe("YAML", () => {
  test("is written in block style, lists below their key, in the order of the object", () => {
    const value = {
      block: { c: 1, a: [{ x: "one", z: [] }, "two", [3]] },
      empty: {},
      none: null,
      gone: undefined,
    };
    expect(toYaml(value)).toBe(`block:
  c: 1
  a:
    - x: one
      z: []
    - two
    - - 3
empty: {}
none: null
`);
  });

  test("keeps the lines of a page", () => {
    expect(toYaml({ a: { page: "one: 1\n  two\n" } })).toBe("a:\n  page: |\n    one: 1\n      two\n");
  });

  test.each([
    ["words", "a scan of the API", "a scan of the API"],
    ["an address", "https://api.example/v1", "https://api.example/v1"],
    ["a path", "/order/order.json", "/order/order.json"],
    ["nothing", "", '""'],
    ["what reads as a number", "1", '"1"'],
    ["what reads as a truth value", "no", '"no"'],
    ["a colon before a space", "a: b", '"a: b"'],
    ["a colon at the end", "a:", '"a:"'],
    ["a comment", "a #b", '"a #b"'],
    ["a dash in front", "- a", '"- a"'],
    ["a line break", "a\nb", '"a\\nb"'],
    ["an alias", "*a", '"*a"'],
    ["JSON", '{"a":1}', `'{"a":1}'`],
    ["both kinds of quotes", `a"b'`, '"a\\"b\'"'],
    ["a space at the end", "a ", '"a "'],
  ])("writes %s so that it is read back as that text", (_, text, written) => {
    expect(toYaml({ key: text })).toBe(`key: ${written}\n`);
  });
});
