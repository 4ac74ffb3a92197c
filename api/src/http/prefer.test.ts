import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsePreferences, waitPreference } from "./prefer.ts";

describe("waitPreference", () => {
  const rows: readonly (readonly [string | undefined, number, string | undefined])[] = [
    [undefined, 25, undefined],
    ["", 25, undefined],
    ["wait=10", 10, "wait=10"],
    ["wait=0", 0, "wait=0"],
    ["wait=120", 120, "wait=120"],
    ["wait=121", 120, "wait=120"],
    ["wait=999999999", 120, "wait=120"],
    ["WAIT = 10", 10, "wait=10"],
    ['wait="10"', 10, "wait=10"],
    ["wait=007", 7, "wait=7"],
    ["respond-async", 0, "respond-async"],
    ["Respond-Async;x=1", 0, "respond-async"],
    ["respond-async, wait=10", 10, "respond-async, wait=10"],
    ["wait=10, wait=20", 10, "wait=10"],
    ['foo="a, wait=5", wait=7', 7, "wait=7"],
    ['foo="a\\", wait=5", wait=8', 8, "wait=8"],
    ["foo; wait=5", 25, undefined],
    [",, wait=3 ,", 3, "wait=3"],
    ["wait=-1", 25, undefined],
    ["wait=1.5", 25, undefined],
    ["wait=1e1", 25, undefined],
    ["wait=", 25, undefined],
    ["wait", 25, undefined],
    ["wait=ten", 25, undefined],
    ["wait=1234567890", 25, undefined],
    ["wait=5 6", 25, undefined],
    ['wait="5', 25, undefined],
    ["handling=strict, return=minimal", 25, undefined],
  ];
  test.each(rows)("%j waits %i seconds and applies %j", (header, seconds, applied) => {
    expect(waitPreference(header, 25)).toEqual({ seconds, applied });
  });

  test("any text at all gives a wait between 0 and 120", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[wait=",;\\ 0-9]{0,40}$/)), (header) => {
        const { seconds } = waitPreference(header, 25);
        expect(seconds >= 0 && seconds <= 120).toBe(true);
      }),
    );
  });
});

test("a quoted value is read without its quotes and escapes", () => {
  expect(parsePreferences('a="b\\"c", d=e')).toEqual(
    new Map([
      ["a", 'b"c'],
      ["d", "e"],
    ]),
  );
});
