import { DEFAULT_LIMITS, scanOrderSchema, type Pin } from "@glovebox/contract";
import { expect, test } from "vitest";
import { scanOrder, specOf, type OrderTerms } from "./order.ts";

const pin: Pin = { host: "api.example", addresses: ["198.51.100.7"], ports: [443] };
const target = { scanId: "scan-1", url: "https://api.example/", pins: [pin] };

test("the order of the least scan has its target, its pins and its limits, and nothing else", () => {
  const order = scanOrder(target, { limits: DEFAULT_LIMITS, context: undefined, extraCa: undefined });
  expect(order).toEqual({ ...target, limits: DEFAULT_LIMITS });
  expect(Object.keys(order)).not.toContain("context");
  expect(scanOrderSchema.parse(order)).toEqual(order);
});

test("the order of a scan keeps every term that is given", () => {
  const terms = {
    limits: DEFAULT_LIMITS,
    context: "medical",
    extraCa: "PEM",
    needsSpec: true,
    only: [{ check: "ssrf/sample", location: { method: "GET", path: "/" } }],
    plan: true,
    identities: [{ name: "alice", role: "user", headers: { "x-key": "k" } }],
    include: ["/orders/**"],
    exclude: ["DELETE"],
  } satisfies OrderTerms;
  const spec = specOf({ specUrl: "https://api.example/openapi.json" });
  const order = scanOrder({ ...target, spec }, terms);
  expect(order).toMatchObject({ ...terms, spec: { from: "url", url: "https://api.example/openapi.json" } });
});

test("the backends of a Service are for the network policy, and not in the order", () => {
  const backends = [{ address: "10.0.0.7", port: 8443 }];
  const order = scanOrder({ ...target, pins: [{ ...pin, backends }] }, { limits: DEFAULT_LIMITS });
  expect(order.pins).toEqual([pin]);
});
