import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_LIMITS, instancesOf, type Outcome } from "@glovebox/contract";
import { expect, test } from "vitest";
import { CHECKS } from "../index.ts";
import { scan } from "../../scan.ts";
import { tcpReach } from "../../isolation/tcp-reach.ts";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { serve } from "../../testing/serve.ts";

const document = apiDocument({
  "/items": { get: { parameters: [{ name: "q", in: "query", schema: { type: "string" } }] } },
  "/orders": { get: { parameters: [{ name: "status", in: "query", schema: { type: "string" } }] } },
});
const api = fakeApi({
  "GET /": { json: { name: "shop" } },
  "GET /items": { json: { items: [{ id: 7, title: "Tea" }] } },
  "GET /orders": { json: { orders: [] } },
});

/** A target that is down for half a second after each request that `crashes`. */
async function scanOf(crashes: (url: string) => boolean): Promise<Outcome> {
  let downUntil = 0;
  await using server = await serve((request, response) => {
    if (crashes(request.url ?? "")) downUntil = performance.now() + 500;
    if (performance.now() < downUntil) request.socket.destroy();
    else api(request, response);
  });
  return await scan(
    {
      scanId: "test",
      url: server.url,
      spec: { from: "text", text: JSON.stringify(document) },
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: DEFAULT_LIMITS,
    },
    {
      checks: CHECKS,
      onProgress: () => {},
      onFault: () => {},
      reach: tcpReach,
      families: () => new Set(),
      now: () => performance.now(),
      wait: () => wait(200),
      today: () => new Date(),
    },
  );
}

test(
  "a request at which the target ends is reported, and the other tests are done all the same",
  { timeout: 60_000 },
  async () => {
    const outcome = await scanOf((url) => /[?&]q=[^&]*(%27|')/.test(url));
    if (outcome.status === "failed") throw new Error(outcome.failure.message);
    const { report } = outcome;
    const crash = report.findings.flatMap(instancesOf).find(({ check }) => check === "rate-limiting/crash");
    expect(crash).toMatchObject({ severity: "high", location: { path: "/items" } });
    const finding = report.findings.find(({ check }) => check === "rate-limiting/crash")!;
    expect(finding.evidence.exchanges.map(({ role, response }) => [role, response.status])).toEqual([
      ["control", 200],
      ["attack", 0],
      ["repeat", 0],
    ]);
    expect(finding.evidence.curl).toMatch(/q=.*%27/);
    const injection = report.checks.find(({ check }) => check === "input-validation/sql-error")!;
    expect(injection.passed, "orders were tested").toBeGreaterThan(0);
  },
);

test("an outage that no request brought about is no crash", { timeout: 60_000 }, async () => {
  let requests = 0;
  const outcome = await scanOf(() => ++requests === 120);
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  expect(outcome.report.findings.filter(({ check }) => check === "rate-limiting/crash")).toEqual([]);
});
