import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createSweepMetrics } from "./sweep-metrics.ts";

test("what sweeps do is counted by outcome, each from the start, and shown in the registry of another", async () => {
  const { all, swept, brokenOff } = createSweepMetrics();
  const registry = new Registry();
  for (const metric of all) registry.registerMetric(metric);
  swept("launched", 3);
  swept("cancelled", 1);
  brokenOff();
  const lines = (await registry.metrics()).split("\n").filter((line) => line.startsWith("glovebox_sweep"));
  expect(lines.toSorted()).toEqual([
    "glovebox_sweep_failures_total 1",
    'glovebox_sweep_scans_total{outcome="cancelled"} 1',
    'glovebox_sweep_scans_total{outcome="failed"} 0',
    'glovebox_sweep_scans_total{outcome="launched"} 3',
  ]);
});
