import type { RequestListener } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { DEFAULT_LIMITS, type Finding, type Report } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { describe, expect, it, test } from "vitest";
import { CHECKS } from "../index.ts";
import { scan } from "../../scan.ts";
import { tcpReach } from "../../isolation/tcp-reach.ts";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { superviseProcess } from "../../testing/fragile-target.ts";
import { serve } from "../../testing/serve.ts";

const text = (name: string) => ({ name, in: "query", schema: { type: "string" } });
const document = apiDocument({
  "/items": { get: { parameters: [text("q"), text("sort")] } },
  "/orders": { get: { parameters: [text("status")] } },
});
const api = fakeApi({
  "GET /": { json: { name: "shop" } },
  "GET /items": { json: { items: [{ id: 7, title: "Tea" }] } },
  "GET /orders": { json: { orders: [] } },
});

/** The same API as a program that throws where `crashes`, an expression of `url` (decoded), says so. */
const programThatCrashes = (crashes: string): string => `
  const server = require("node:http").createServer((request, response) => {
    let url = request.url;
    try { url = decodeURIComponent(url); } catch {}
    if (${crashes}) throw new Error("unhandled");
    const path = url.split("?")[0];
    const bodies = { "/": { name: "shop" }, "/items": { items: [{ id: 7, title: "Tea" }] }, "/orders": { orders: [] } };
    response.writeHead(bodies[path] ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(bodies[path] ?? { error: "Not found" }));
  });
  server.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
`;

async function reportOn({ url, port }: { url: string; port: number }): Promise<Report> {
  const outcome = await scan(
    {
      scanId: "test",
      url,
      spec: { from: "text", text: JSON.stringify(document) },
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [port] }],
      limits: DEFAULT_LIMITS,
    },
    {
      checks: CHECKS,
      onProgress: () => {},
      onFault: () => {},
      reach: tcpReach,
      families: () => new Set(),
      now: () => performance.now(),
      wait: (ms) => wait(ms),
      today: () => new Date(),
    },
  );
  if (outcome.status === "failed") throw new Error(outcome.failure.message);
  return outcome.report;
}

const crashesIn = ({ findings }: Report): Finding[] =>
  findings.filter(({ check }) => check === "rate-limiting/crash");

async function reportOnServer(listener: RequestListener): Promise<Report> {
  await using server = await serve(listener);
  return await reportOn(server);
}

describe("a target that crashes", { timeout: 60_000 }, () => {
  it.each([50, 300, 1_000])(
    "behind a supervisor that restarts it after %i ms is crashed three times at most, and reported once",
    async (restartMs) => {
      await using target = await superviseProcess(
        programThatCrashes(`url.startsWith("/items") && url.includes("'")`),
        restartMs,
      );
      const report = await reportOn(target);
      expect(target.restarts()).toBe(3);
      const [crash, ...others] = crashesIn(report);
      expect([others, crash && instancesOf(crash)]).toEqual([[], [expect.anything()]]);
      expect(crash).toMatchObject({
        severity: "high",
        confidence: "confirmed",
        location: { path: "/items" },
      });
      const { exchanges, curl } = crash!.evidence;
      expect(exchanges.map(({ role, response }) => [role, response.status])).toEqual([
        ["control", 200],
        ["attack", 0],
        ["repeat", 0],
      ]);
      expect(curl).toMatch(/%27|'/);
      const injection = report.checks.find(({ check }) => check === "input-validation/sql-error")!;
      expect(injection.passed, "orders were tested").toBeGreaterThan(0);
    },
  );

  it("a target that crashes after its response is crashed four times at most, and reported once", async () => {
    const program = programThatCrashes("false").replace(
      "response.end(",
      `if (url.startsWith("/items") && url.includes("'")) setTimeout(() => process.exit(1), 3);
      response.end(`,
    );
    await using target = await superviseProcess(program, 50);
    const report = await reportOn(target);
    expect(target.restarts()).toBeLessThanOrEqual(4);
    expect(crashesIn(report)).toMatchObject([{ severity: "high", location: { path: "/items" } }]);
  });

  it("a target that crashes at a character anywhere is crashed six times at most, and reported at the two operations where it was", async () => {
    await using target = await superviseProcess(programThatCrashes(`url.includes("'")`), 50);
    const report = await reportOn(target);
    expect(target.restarts()).toBeLessThanOrEqual(6);
    const [crash, ...others] = crashesIn(report);
    expect(others).toEqual([]);
    expect(instancesOf(crash!).length).toBeGreaterThan(0);
  });

  it("a target that crashes at everything that is not a baseline request is not kept down", async () => {
    await using target = await superviseProcess(
      programThatCrashes("/[^a-z\\\\d\\\\/?=&._-]/i.test(url)"),
      50,
    );
    await reportOn(target);
    expect(target.restarts()).toBeLessThanOrEqual(15);
  });
});

describe("reports no crash", { timeout: 60_000 }, () => {
  test("reports no crash for an outage that no request brought about", async () => {
    let [requests, downUntil] = [0, 0];
    const report = await reportOnServer((request, response) => {
      if (++requests === 120) downUntil = performance.now() + 500;
      if (performance.now() < downUntil) request.socket.destroy();
      else api(request, response);
    });
    expect(crashesIn(report)).toEqual([]);
  });

  test("reports no crash for a server that resets one connection in twenty at random", async () => {
    const report = await reportOnServer((request, response) => {
      if (Math.random() < 0.05) request.socket.resetAndDestroy();
      else api(request, response);
    });
    expect(crashesIn(report)).toEqual([]);
  });

  test("reports no crash for a firewall that resets the connections of attacks", async () => {
    let cut = 0;
    const report = await reportOnServer((request, response) => {
      if (/['"<>]|%27|%22|%3c/i.test(request.url ?? "")) {
        cut++;
        request.socket.resetAndDestroy();
      } else api(request, response);
    });
    expect(cut).toBeGreaterThan(0);
    expect(crashesIn(report)).toEqual([]);
  });

  test("reports no crash for a server that closes idle connections without notice", async () => {
    const report = await reportOnServer((request, response) => {
      response.shouldKeepAlive = true;
      response.once("finish", () => setTimeout(() => request.socket.destroy(), 2));
      api(request, response);
    });
    expect(crashesIn(report)).toEqual([]);
  });
});
