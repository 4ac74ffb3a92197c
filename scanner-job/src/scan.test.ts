import { scanOrderSchema } from "@glovebox/contract";
import { expect, test } from "vitest";
import { scan } from "./scan.ts";
import { fakeApi } from "./testing/fake-api.ts";
import { aCheck } from "./testing/samples.ts";
import { serve } from "./testing/serve.ts";
import { tcpReach } from "./isolation/tcp-reach.ts";

test("a scan that was not pinned to all addresses of its target notes that in its report", async () => {
  await using target = await serve(
    fakeApi({ "GET /": { json: { items: "/items" } }, "GET /items": { json: [{ id: 1 }] } }),
  );
  const pin = { host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [target.port] };
  const order = scanOrderSchema.parse({
    scanId: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
    url: target.url,
    pins: [{ ...pin, omitted: 24 }],
    limits: { deadlineSeconds: 30, maxRequests: 100 },
  });
  const deps = {
    checks: [aCheck({ subjects: ({ operations }) => operations })],
    onProgress: () => {},
    onFault: () => {},
    reach: tcpReach,
    families: () => new Set<never>(),
    now: () => 0,
    wait: () => Promise.resolve(),
    today: () => new Date(),
  };
  const outcome = await scan(order, deps);
  expect(outcome.status === "completed" && outcome.report.notes[0]).toBe(
    "The host 127.0.0.1 has 25 addresses; the scan used 1 of them.",
  );
});
