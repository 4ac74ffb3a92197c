import { expect, test } from "vitest";
import { bearerToken } from "./access-control.ts";

const rows: readonly (readonly [string | undefined, string | undefined])[] = [
  ["Bearer abc", "abc"],
  ["bearer abc", "abc"],
  ["BEARER   abc  ", "abc"],
  ["Bearer a.b~c+d/e-f_g==", "a.b~c+d/e-f_g=="],
  ["Bearer", undefined],
  ["Bearer ", undefined],
  ["Bearerabc", undefined],
  ["Bearer a b", undefined],
  ["Bearer a,b", undefined],
  ["Basic abc", undefined],
  ["", undefined],
  [undefined, undefined],
];
test.each(rows)("%j carries the token %j", (header, token) => {
  expect(bearerToken(header)).toBe(token);
});
