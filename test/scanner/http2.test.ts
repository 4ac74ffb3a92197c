import { once } from "node:events";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { createDemoCertificates } from "@glovebox/demo";
import { expect, test } from "vitest";
import { runScannerProcess } from "./scanner-process.ts";

const document = {
  openapi: "3.1.0",
  info: { title: "Items", version: "1" },
  paths: { "/items": { get: {} } },
};

test.each([
  ["speaks HTTP/2 alone", false],
  ["chooses HTTP/2 and takes HTTP/1.1 too", true],
])("a scan by the shipped scanner of a target that %s is completed over HTTP/2", async (_, allowHTTP1) => {
  const { caPem, certPem, keyPem } = await createDemoCertificates();
  const versions = new Set<string>();
  const server = createSecureServer({ cert: certPem, key: keyPem, allowHTTP1 }, (request, response) => {
    versions.add(request.httpVersion);
    const found = request.url === "/items" || request.url === "/";
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(found ? { items: [{ id: 1 }] } : { error: "Not found" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const { outcome } = await runScannerProcess({
      scanId: "http2",
      url: `https://127.0.0.1:${port}/`,
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [port] }],
      extraCa: caPem,
      limits: { deadlineSeconds: 60, maxRequests: 300 },
      spec: { from: "text", text: JSON.stringify(document) },
    });
    expect(outcome.status).toBe("completed");
    expect(versions).toContain("2.0");
  } finally {
    server.close();
  }
});
