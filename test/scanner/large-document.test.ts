import { expect, it } from "vitest";
import { largeDocument } from "../../scanner-job/src/testing/large-document.ts";
import { serve } from "../fixtures/hosts/index.ts";
import { runScannerProcess } from "./scanner-process.ts";

const OPERATIONS = 1_000;
const MAX_MEGABYTES = 200;

it("a scan with an OpenAPI document of 1,000 operations and 13 MB requests every list, and needs less than 200 MB", async () => {
  const document = largeDocument({ operations: OPERATIONS, bytes: 13_000_000 });
  const requested = new Set<string>();
  const server = await serve((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://target.test");
    const isList = request.method === "GET" && /^\/things\d+$/.test(pathname);
    if (isList) requested.add(pathname);
    const body = pathname === "/openapi.json" ? document : isList ? '[{"id":1,"name":"one"}]' : undefined;
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
    response.end(body ?? '{"error":"not found"}');
  });
  try {
    const { outcome, peakMiB } = await runScannerProcess({
      scanId: "large",
      url: `${server.url}/`,
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: { deadlineSeconds: 120, maxRequests: 5_000 },
      spec: { from: "url", url: `${server.url}/openapi.json` },
    });
    expect(outcome.status).toBe("completed");
    expect(requested.size).toBe(OPERATIONS / 4);
    expect(peakMiB * 1.048576).toBeLessThan(MAX_MEGABYTES);
  } finally {
    await server.close();
  }
});
