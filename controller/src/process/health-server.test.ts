import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { startHealthServer } from "./health-server.ts";
import { createControllerMetrics } from "./metrics.ts";

const host = "127.0.0.1";
const sources = {
  lastEventAgesMs: () => ({ scans: 1500 }),
  queuedSince: () => [1000, 4000],
  unreadPolicies: () => ["cilium.io"],
  isLeader: () => true,
  canaries: () => 2,
  now: () => new Date(5000),
};

test("a process that is not ready says why, and is alive all the same", async () => {
  let reason: string | undefined = "the database is unreachable";
  const registry = new Registry();
  const server = await startHealthServer({ port: 0, host, registry, unready: async () => reason });
  const get = async (path: string) => {
    const response = await fetch(`http://${host}:${server.port}${path}`);
    return [response.status, await response.text()];
  };
  expect(await get("/healthz")).toEqual([200, "ok\n"]);
  expect(await get("/readyz")).toEqual([503, "the database is unreachable\n"]);
  reason = undefined;
  expect(await get("/readyz?verbose")).toEqual([200, "ready\n"]);
  expect(await get("/")).toEqual([404, "not found\n"]);
  await server.close();
});

test("the metrics tell of the queue, the watches, the lead and what was lost", async () => {
  const { registry, resultsLost } = createControllerMetrics(sources);
  resultsLost.inc();
  const server = await startHealthServer({ port: 0, host, registry, unready: async () => undefined });
  const text = await (await fetch(`http://${host}:${server.port}/metrics`)).text();
  await server.close();
  for (const line of [
    'glovebox_controller_watch_last_event_age_seconds{resource="scans"} 1.5',
    'glovebox_controller_policies_unread{resource="cilium.io"} 1',
    "glovebox_controller_queue_depth 2",
    "glovebox_controller_queue_age_seconds 4",
    "glovebox_controller_leader 1",
    "glovebox_controller_canaries 2",
    "glovebox_results_lost_total 1",
  ])
    expect(text.split("\n")).toContain(line);
});
