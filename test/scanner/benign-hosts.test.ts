import { SEVERITIES, type ScanFailureCode } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { BENIGN, serve } from "../fixtures/hosts/index.ts";
import { runScannerProcess } from "./scanner-process.ts";

const HOSTS = Object.keys(BENIGN) as (keyof typeof BENIGN)[];
const mediumOrWorse = new Set<string>(SEVERITIES.slice(0, SEVERITIES.indexOf("medium") + 1));

/** Failure codes of scans that can test nothing but the host. */
const NOTHING_TESTED: Partial<Record<keyof typeof BENIGN, ScanFailureCode>> = {
  singlePageApp: "nothing_tested",
  reflectingSinglePageApp: "nothing_tested",
  forbiddenGateway: "target_blocked",
  unauthorizedGateway: "nothing_tested",
  loginRedirectHost: "nothing_tested",
  blockingWith429: "target_blocked",
  blockingWith403: "target_blocked",
};

describe.concurrent("a benign host with unusual responses gets no finding of medium severity or above", () => {
  it.each(HOSTS)("%s", { timeout: 120_000 }, async (name) => {
    const server = await serve(BENIGN[name]());
    const { outcome } = await runScannerProcess({
      scanId: "benign",
      url: `${server.url}/`,
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: { deadlineSeconds: 90, maxRequests: 2_000 },
    });
    await server.close();
    expect(outcome.status === "failed" ? outcome.failure.code : undefined).toBe(NOTHING_TESTED[name]);
    if (outcome.status === "failed") return;
    const falsePositives = outcome.report.findings.filter(({ severity }) => mediumOrWorse.has(severity));
    expect(
      falsePositives.map(({ check, location }) => `${check} at ${location.method} ${location.path}`),
    ).toEqual([]);
  });
});
