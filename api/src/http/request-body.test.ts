import fc from "fast-check";
import { expect, test } from "vitest";
import { duplicateMember } from "./request-body.ts";

const rows: readonly (readonly [string, string | undefined])[] = [
  ["{}", undefined],
  ['{"a":1,"b":1}', undefined],
  ['{"a":1,"a":1}', "a"],
  ['{"a":1,"\\u0061":1}', "a"],
  ['{"a" \n\t:1, "b":{"a":1}, "c":[{"a":1},{"a":2}]}', undefined],
  ['{"b":{"a":1,"a":2}}', "a"],
  ['[{"a":1},{"a":1}]', undefined],
  ['{"a":"a","b":"a:","c":"\\"a\\":1"}', undefined],
  ['{"":1,"":2}', ""],
  ['{"a":["a","a"]}', undefined],
  ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ['{"a":"\\\\","a":2}', "a"],
];
test.each(rows)("%s has the duplicate %j", (json, name) => {
  JSON.parse(json);
  expect(duplicateMember(json)).toBe(name);
});

test("what JSON.stringify writes has none, and the same member again is found", () => {
  fc.assert(
    fc.property(fc.json(), fc.string(), (json, name) => {
      expect(duplicateMember(json)).toBeUndefined();
      const member = JSON.stringify(name);
      expect(duplicateMember(`{${member}:${json},${member}:${json}}`)).toBe(name);
    }),
  );
});
