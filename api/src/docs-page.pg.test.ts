import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { buildOpenApiDocument } from "./routes.ts";
import { startTestApi, useTestApi } from "./testing/harness.ts";
import { ask } from "./testing/requests.ts";
import { expectError, expectStandardHeaders } from "./testing/standard-headers.ts";

const api = useTestApi();

test("the document is served as it is built", async () => {
  const response = await ask(`${api.url}/v1/openapi.json`);
  expect(response.json).toEqual(JSON.parse(JSON.stringify(buildOpenApiDocument())));
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
});

test("the page, its script and every file that it names come from here alone", async () => {
  const page = await ask(`${api.url}/v1/docs`);
  const named = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!);
  expect(named).toHaveLength(4);
  expect(page.text).not.toMatch(/https?:|\/\/|<script>|\son\w+=|style=/);
  const start = await ask(`${api.url}/v1/docs/start.js`);
  expect(start.text).not.toMatch(/https?:|\/\//);
  expect(start.text).toContain("validatorUrl: null");

  for (const path of named) {
    const file = await ask(new URL(path, `${api.url}/v1/docs`).href);
    expect(file.status, path).toBe(200);
    expect(file.text.length).toBeGreaterThan(100);
    expect(file.headers.get("content-type")).toMatch(/; charset=utf-8$|^image\/png$/);
    expectStandardHeaders(file);
  }
});

test("the page's policy allows nothing from elsewhere and nothing inline", async () => {
  const { headers } = await ask(`${api.url}/v1/docs`);
  const policy = headers.get("content-security-policy")!;
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(policy).toContain("frame-ancestors 'none'");
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("metrics with their own port are served there alone", async () => {
  const metricsPort = await freePort();
  const apart = await startTestApi({ databaseUrl: api.databaseUrl, settings: { metricsPort } });
  expectError(await ask(`${apart.url}/metrics`), 404, "not_found");
  expect((await ask(`${apart.url}/healthz`)).status).toBe(200);
  const at = `http://127.0.0.1:${metricsPort}`;
  expect((await ask(`${at}/metrics?name[]=up`)).text).toContain('route="/healthz",status="200"');
  for (const path of ["/", "/healthz", "/v1/scans"]) expect((await fetch(at + path)).status).toBe(404);
  await apart.close();
  await expect(fetch(`${at}/metrics`)).rejects.toThrow();
});

test("probes and metrics need no key", async () => {
  expect((await ask(`${api.url}/healthz`)).json).toEqual({ status: "ok" });
  expect((await ask(`${api.url}/readyz`)).json).toEqual({ status: "ready" });
  const metrics = await ask(`${api.url}/metrics`);
  expect(metrics.headers.get("content-type")).toMatch(/^text\/plain/);
  for (const name of [
    'glovebox_http_request_duration_seconds_count{method="GET",route="/healthz",status="200"}',
    "glovebox_rate_limiter_fallback 0",
    "glovebox_waiters 0",
    "glovebox_scans_submitted_total 0",
    "glovebox_scans_ended_total 0",
    "process_resident_memory_bytes",
  ])
    expect(metrics.text).toContain(name);
});
