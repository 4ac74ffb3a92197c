import { gzipSync } from "node:zlib";
import type { ScanOrder } from "@glovebox/contract";
import { expect, it } from "vitest";
import { serve, type Handler } from "../fixtures/hosts/index.ts";
import { runScannerProcess } from "./scanner-process.ts";

const MIB = 1024 * 1024;
/** Of the scanner's pod, and of a scan under `glovebox serve`. */
const MAX_MIB = 256;
const OPERATIONS = Array.from({ length: 220 }, (_, index) => `/reports/r${index}`);

const rows = Array.from({ length: 9_000 }, (_, id) => ({ id, name: `Item ${id}`, text: "x".repeat(60) }));

it.each([
  ["200 MiB of zeros", gzipSync(Buffer.alloc(200 * MIB))],
  ["a megabyte of JSON", gzipSync(JSON.stringify(rows))],
  ["characters of two bytes", gzipSync("€".repeat(MIB))],
])("a scan of an API whose operations all return %s in gzip ends with a report", async (_, packed) => {
  let large = 0;
  const server = await serve(largeApi(packed, () => large++));
  try {
    const { outcome, peakMiB, exitCode } = await runScannerProcess(orderFor(server.url, server.port));
    expect(exitCode).toBe(0);
    expect(outcome.status).toBe("completed");
    expect(large, "more is received than the memory holds").toBeGreaterThan(MAX_MIB);
    expect(peakMiB).toBeLessThan(MAX_MIB);
  } finally {
    await server.close();
  }
});

const orderFor = (url: string, port: number): ScanOrder => ({
  scanId: "large-responses",
  url: `${url}/`,
  pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [port] }],
  limits: { deadlineSeconds: 60, maxRequests: 3_000 },
});

/** Describes its operations, and returns 404 for every other path. */
function largeApi(packed: Buffer, onLarge: () => void): Handler {
  const query = [{ name: "q", in: "query", schema: { type: "string" } }];
  const get = { parameters: query, responses: { 200: { description: "A report." } } };
  const paths = Object.fromEntries(OPERATIONS.map((path) => [path, { get }]));
  const document = JSON.stringify({ openapi: "3.0.3", info: { title: "Reports", version: "1" }, paths });
  return ({ url = "/" }, response) => {
    const path = url.split("?")[0]!;
    const isLarge = paths[path] !== undefined;
    const status = isLarge || path === "/openapi.json" ? 200 : 404;
    if (isLarge) onLarge();
    response.writeHead(status, {
      "content-type": "application/json",
      ...(isLarge && { "content-encoding": "gzip" }),
    });
    response.end(isLarge ? packed : status === 200 ? document : '{"error":"Not found"}');
  };
}
