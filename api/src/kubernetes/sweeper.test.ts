import { Registry } from "prom-client";
import { describe, expect, test } from "vitest";
import { afterFailure, createSweeper, createSweepMetrics, deletedScans } from "./sweeper.ts";

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

test("a scan whose identities cannot be read does not hold up the others, and fails after an hour", async () => {
  const unlaunched = (id: string, ageSeconds: number) => ({
    ...{ id, account: "shop", url: "https://a.example/", specUrl: null, context: null, ageSeconds },
    ...{ include: null, exclude: null, mode: null, identityNames: id === "readable" ? null : ["alice"] },
  });
  const ended: string[] = [];
  const noted: string[] = [];
  const sweeper = createSweeper({
    store: {
      launches: {
        unlaunched: async () => [unlaunched("old", 3_600), unlaunched("young", 6), unlaunched("readable", 6)],
        launched: async () => [],
        overdue: async () => [],
        note: async (scans) => void noted.push(...scans.map(({ id }) => id)),
      },
      work: { record: async (id: string, outcome) => ended.push(`${id} ${JSON.stringify(outcome)}`) > 0 },
      withLock: async (_, task) => task().then(() => true),
    },
    resources: {
      create: async ({ id }) =>
        id === "readable" ? resourceOf(id) : Promise.reject(new Error("There is no key.")),
      present: async () => ({ uids: new Set(), namespaces: new Set(), unlisted: [] }),
    },
    installation: { id: async () => "here", refresh: async () => undefined },
    logger: { info: () => undefined, warn: () => undefined },
    now: () => new Date(),
    everyMs: 3_600_000,
    metrics: createSweepMetrics(),
  });
  await sweeper.sweep();
  expect(noted).toEqual(["readable"]);
  expect(ended).toEqual([expect.stringMatching(/^old .*"could_not_start"/)]);
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
