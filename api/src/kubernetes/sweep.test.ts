import type { LaunchableScan } from "@glovebox/store";
import { describe, expect, test } from "vitest";
import { GIVE_UP_MS, afterFailure, deletedBetweenTimes } from "./sweep.ts";

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

describe("of the scans that were launched", () => {
  test.each<[string, string[], string[], string[] | undefined, string[]]>([
    ["none counts as deleted when the resources were not looked at", [], ["a"], undefined, []],
    ["none counts as deleted whose resource is there", [], ["a", "b"], ["a", "b", "other"], []],
    ["those count as deleted whose resource is not there", [], ["a", "b"], ["b"], ["a"]],
    ["none counts as deleted that is to be launched", ["a"], ["a"], [], []],
  ])("%s", (_, unlaunched, launched, present, expected) => {
    const settled = present && { scans: launched.map(scan), present: new Set(present) };
    expect(idsOf(deletedBetweenTimes({ unlaunched: unlaunched.map(scan), settled }))).toEqual(expected);
  });
});

test.each([
  ["waits for the next sweep while it is young", false, GIVE_UP_MS - 1, "wait"],
  ["has failed after an hour", false, GIVE_UP_MS, "fail"],
  ["has failed at once when its resource is refused", true, 0, "fail"],
])("a scan that could not be launched %s", (_, refused, age, expected) => {
  expect(afterFailure({ refused, createdAt: ago(age) }, NOW)).toBe(expected);
});
