import type { LaunchableScan } from "@glovebox/store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GIVE_UP_MS, afterFailure, toLaunch } from "./sweep.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const ago = (ms: number): Date => new Date(NOW.getTime() - ms);
const scan = (id: string): LaunchableScan => ({
  id,
  account: "a",
  url: "https://api.example/v1",
  specUrl: null,
  context: null,
  createdAt: NOW,
});
const idsOf = (scans: readonly LaunchableScan[]) => scans.map(({ id }) => id);

describe("a sweep launches", () => {
  test.each<[string, string[], string[], string[] | undefined, string[]]>([
    ["nothing when nothing was left behind", [], ["a"], ["a"], []],
    ["what was never launched", ["a", "b"], [], undefined, ["a", "b"]],
    ["what was never launched before what lost its resource", ["b"], ["a"], [], ["b", "a"]],
    ["no scan whose resource is there", [], ["a", "b"], ["b", "other"], ["a"]],
    ["a scan once that was noted as launched in between", ["a"], ["a"], [], ["a"]],
  ])("%s", (_, unlaunched, launched, present, expected) => {
    const settled = present && { scans: launched.map(scan), present: new Set(present) };
    expect(idsOf(toLaunch({ unlaunched: unlaunched.map(scan), settled }))).toEqual(expected);
  });

  test("every scan that was never launched, no settled scan with a resource, and none twice", () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-f]$/));
    fc.assert(
      fc.property(ids, ids, ids, (unlaunched, launched, present) => {
        const settled = { scans: launched.map(scan), present: new Set(present) };
        const launching = idsOf(toLaunch({ unlaunched: unlaunched.map(scan), settled }));
        expect(new Set(launching).size).toBe(launching.length);
        const missing = launched.filter((id) => !present.includes(id));
        expect(new Set(launching)).toEqual(new Set([...unlaunched, ...missing]));
      }),
    );
  });
});

test.each([
  ["waits for the next sweep while it is young", false, GIVE_UP_MS - 1, "wait"],
  ["has failed after an hour", false, GIVE_UP_MS, "fail"],
  ["has failed at once when its resource is refused", true, 0, "fail"],
])("a scan that could not be launched %s", (_, refused, age, expected) => {
  expect(afterFailure({ refused, createdAt: ago(age) }, NOW)).toBe(expected);
});
