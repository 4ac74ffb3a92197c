import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "@glovebox/scan-run";
import type { ScanOrder } from "@glovebox/contract";
import { outcomeOf } from "@glovebox/scan-run/testing";
import { afterAll, describe, expect, test } from "vitest";
import { runScannerProgram } from "./scanner-program.ts";
import { startTlsProxy } from "../support/tls-proxy.ts";

const folder = mkdtempSync(join(tmpdir(), "glovebox-extra-ca-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

async function scan(...args: Parameters<typeof runScannerProgram>) {
  const { stdout, ...ended } = await runScannerProgram(...args);
  return { ...ended, outcome: () => outcomeOf(stdout.split("\n")) };
}

const orderOf = (url: string): ScanOrder => ({
  scanId: "scan-extra-ca",
  url,
  pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [Number(new URL(url).port)] }],
  limits: { deadlineSeconds: 60, maxRequests: 200 },
});
const isDistrusted = (outcome: Outcome) =>
  outcome.status === "completed" &&
  outcome.report.findings.some(({ check }) => check === "encryption/certificate");

describe("additional trusted certificates", () => {
  test("additional trusted certificates in a file are trusted", async () => {
    await using api = await served();
    await using proxy = await startTlsProxy(api.port);
    const unknown = await scan(orderOf(proxy.url));
    expect(isDistrusted(unknown.outcome())).toBe(true);
    const known = await scan(orderOf(proxy.url), "--extra-ca", file("ca.pem", proxy.caPem));
    expect(known.outcome()).toMatchObject({ status: "completed" });
    expect(isDistrusted(known.outcome())).toBe(false);
  });

  test.each([
    ["are missing", join(folder, "none.pem"), "none.pem cannot be read (ENOENT)"],
    ["are not PEM", file("text.pem", "no certificate"), "text.pem holds no certificate in PEM"],
  ])(
    "additional trusted certificates that %s stop the scan before its first request, with the reason",
    async (_, path, reason) => {
      const { code, stderr } = await scan(orderOf("https://127.0.0.1:9/"), "--extra-ca", path);
      expect(code).toBe(1);
      expect(stderr).toContain(reason);
    },
  );
});

async function served(): Promise<{ port: number } & AsyncDisposable> {
  const bodies: Readonly<Record<string, unknown>> = { "/": { items: "/items" }, "/items": [{ id: 1 }] };
  const server = createServer(({ url = "" }, response) => {
    const body = bodies[url];
    response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(body ?? { error: "not found" }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
