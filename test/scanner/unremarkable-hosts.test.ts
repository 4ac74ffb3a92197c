import { SEVERITIES, type ScanFailureCode } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { UNREMARKABLE, serve } from "../fixtures/odd-hosts/index.ts";
import { scanInProcess } from "./scan-process.ts";

const HOSTS = Object.keys(UNREMARKABLE) as (keyof typeof UNREMARKABLE)[];
const grave = new Set<string>(SEVERITIES.slice(0, SEVERITIES.indexOf("medium") + 1));

/** Where nothing but the host can be tested, the scan fails with this. */
const NOTHING_TESTED: Partial<Record<keyof typeof UNREMARKABLE, ScanFailureCode>> = {
  singlePageApp: "nothing_tested",
  reflectingSinglePageApp: "nothing_tested",
  forbiddenGateway: "target_blocked",
  unauthorizedGateway: "nothing_tested",
  loginRedirectHost: "nothing_tested",
  errorsUnderStatus200: "nothing_tested",
  blockingWith429: "target_blocked",
  blockingWith403: "target_blocked",
};

describe.concurrent("a host with nothing wrong gets no finding of medium or above, however oddly it answers", () => {
  it.each(HOSTS)("%s", { timeout: 120_000 }, async (name) => {
    const server = await serve(UNREMARKABLE[name]());
    const { outcome } = await scanInProcess({
      scanId: "unremarkable",
      url: `${server.url}/`,
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: { deadlineSeconds: 90, maxRequests: 2_000 },
    });
    await server.close();
    expect(outcome.status === "failed" ? outcome.failure.code : undefined).toBe(NOTHING_TESTED[name]);
    if (outcome.status === "failed") return;
    const alarms = outcome.report.findings.filter(({ severity }) => grave.has(severity));
    expect(alarms.map(({ check, location }) => `${check} at ${location.method} ${location.path}`)).toEqual(
      [],
    );
  });
});
