import { scanOrderSchema } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { setTimeout as wait } from "node:timers/promises";
import { scan } from "./scan.ts";
import { fakeApi } from "./testing/fake-api.ts";
import { aCheck } from "./testing/samples.ts";
import { serve } from "./testing/serve.ts";
import { tcpReach } from "./isolation/tcp-reach.ts";

const scanOf = (
  target: { url: string; port: number },
  canary: { address: string; port: number },
  reach: typeof tcpReach = tcpReach,
) => {
  const order = scanOrderSchema.parse({
    scanId: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
    url: target.url,
    pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [target.port] }],
    isolation: { canaries: [canary], controlEndpoints: [], waitSeconds: 1 },
    limits: { deadlineSeconds: 300, maxRequests: 1000 },
  });
  let clock = 0;
  return scan(order, {
    checks: [aCheck({ subjects: ({ operations }) => operations })],
    onProgress: () => {},
    onFault: () => {},
    reach,
    families: () => new Set(["IPv4"]),
    now: () => (clock += 90),
    wait,
    today: () => new Date(),
  });
};

describe("a scan that is to prove its isolation", () => {
  test("sends its target no request while the canary is reachable, and fails as isolation_not_proven", async () => {
    let requests = 0;
    await using canary = await serve((_, response) => response.end());
    await using target = await serve((_, response) => response.end(String(++requests)));
    const outcome = await scanOf(target, { address: "127.0.0.1", port: canary.port });
    expect(outcome).toMatchObject({ status: "failed", failure: { code: "isolation_not_proven" } });
    expect(requests).toBe(0);
  });

  test("stops and fails when the canary responds after its first requests", async () => {
    const requested = Promise.withResolvers<void>();
    let requests = 0;
    await using target = await serve((_, response) => {
      requests++;
      requested.resolve();
      response.end("{}");
    });
    const canary = { address: "10.0.0.9", port: 8099 };
    let observations = 0;
    const reach = async (address: string): ReturnType<typeof tcpReach> => {
      if (address !== canary.address) return "connected";
      if (++observations < 3) return "blocked";
      await requested.promise;
      return "connected";
    };
    expect(await scanOf(target, canary, reach)).toMatchObject({
      status: "failed",
      failure: { code: "isolation_not_proven" },
    });
    const before = requests;
    await new Promise(setImmediate);
    expect(requests).toBe(before);
  });

  test("continues when the canary has no route, and its report holds the proof", async () => {
    await using target = await serve(
      fakeApi({ "GET /": { json: { items: "/items" } }, "GET /items": { json: [{ id: 1 }] } }),
    );
    const canary = { address: "224.0.0.1", port: 8099 };
    const outcome = await scanOf(target, canary);
    expect(outcome).toMatchObject({
      status: "completed",
      report: { isolation: { canary, attempts: 1, elapsedMs: expect.any(Number) } },
    });
  });
});
