import { SEVERITIES } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { UNREMARKABLE, serve } from "../fixtures/odd-hosts/index.ts";
import { scanInProcess } from "./scan-process.ts";

const grave = new Set<string>(SEVERITIES.slice(0, SEVERITIES.indexOf("medium") + 1));

describe.concurrent("a host with nothing wrong gets no finding of medium or above, however oddly it answers", () => {
  it.each(Object.entries(UNREMARKABLE))("%s", async (_, make) => {
    const server = await serve(make());
    const { outcome } = await scanInProcess({
      scanId: "unremarkable",
      url: `${server.url}/`,
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: { deadlineSeconds: 90, maxRequests: 2_000 },
    });
    await server.close();
    if (outcome.status === "failed") throw new Error(outcome.failure.message);
    const alarms = outcome.report.findings.filter(({ severity }) => grave.has(severity));
    expect(alarms.map(({ check, location }) => `${check} at ${location.method} ${location.path}`)).toEqual(
      [],
    );
  });
});
