import { Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { afterFailure, createSweepMetrics, deletedScans } from "./sweeper.ts";

const GIVE_UP_SECONDS = 3_600;

const resourceOf = (id: string) => ({
  id,
  uid: `uid-of-${id}`,
  namespace: id.startsWith("of-team") ? "team" : "scans",
});

describe("of the scans that were launched", () => {
  test.each<[string, string[], string[] | undefined, string[]]>([
    ["none counts as deleted when the resources were not looked at", ["a"], undefined, []],
    ["none counts as deleted whose resource is there", ["a", "b"], ["uid-of-a", "uid-of-b", "other"], []],
    ["those count as deleted whose resource is not there", ["a", "b"], ["uid-of-b"], ["a"]],
    ["none counts as deleted whose namespace was not seen", ["a", "of-team"], [], ["a"]],
  ])("%s", (_, launched, present, expected) => {
    const settled = present && {
      scans: launched.map(resourceOf),
      present: { uids: new Set(present), namespaces: new Set(["scans"]) },
    };
    expect(deletedScans({ unlaunched: [], settled })).toEqual(expected);
  });
});

test.each([
  ["waits for the next sweep while it is young", false, GIVE_UP_SECONDS - 1, "wait"],
  ["has failed after an hour", false, GIVE_UP_SECONDS, "fail"],
  ["has failed immediately when its resource is refused", true, 0, "fail"],
])("a scan that could not be launched %s", (_, refused, ageSeconds, expected) => {
  expect(afterFailure({ refused, ageSeconds })).toBe(expected);
});

test("what sweeps do is counted by outcome, each from the start, and shown in the registry of another", async () => {
  const { all, swept, failed } = createSweepMetrics();
  const registry = new Registry();
  for (const metric of all) registry.registerMetric(metric);
  swept("launched", 3);
  swept("cancelled", 1);
  failed();
  const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("glovebox_sweep"));
  expect(lines.toSorted()).toEqual([
    "glovebox_sweep_failures_total 1",
    'glovebox_sweep_scans_total{outcome="cancelled"} 1',
    'glovebox_sweep_scans_total{outcome="failed"} 0',
    'glovebox_sweep_scans_total{outcome="launched"} 3',
  ]);
});
