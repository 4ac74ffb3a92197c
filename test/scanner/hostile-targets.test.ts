import type { ScanOrder } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { HOSTILE, HOSTILE_DOCUMENT_HOSTS, serve, type Served } from "../fixtures/hosts/index.ts";
import { runScannerProcess } from "./scanner-process.ts";

const DEADLINE_SECONDS = 20;
const MAX_MIB = 256;

const orderFor = ({ url, port }: Served, specUrl?: string): ScanOrder => ({
  scanId: "hostile",
  url: `${url}/`,
  pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [port] }],
  limits: { deadlineSeconds: DEADLINE_SECONDS, maxRequests: 400 },
  ...(specUrl ? { spec: { from: "url", url: specUrl } } : {}),
});

async function expectOutcome(order: ScanOrder): Promise<void> {
  const { peakMiB, exitCode } = await runScannerProcess(order);
  expect(exitCode).toBe(0);
  expect(peakMiB).toBeGreaterThan(0);
  expect(peakMiB).toBeLessThan(MAX_MIB);
}

describe.concurrent("a hostile target does not prevent an outcome within the time and memory limits", () => {
  it.each(Object.entries(HOSTILE))("%s", async (_, make) => {
    const server = await serve(make());
    try {
      await expectOutcome(orderFor(server));
    } finally {
      await server.close();
    }
  });

  it.each(Object.entries(HOSTILE_DOCUMENT_HOSTS))("the OpenAPI document %s", async (_, make) => {
    const server = await serve(make());
    try {
      await expectOutcome(orderFor(server, `${server.url}/openapi.json`));
    } finally {
      await server.close();
    }
  });
});
