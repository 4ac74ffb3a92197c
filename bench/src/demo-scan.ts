import { Agent, get } from "node:https";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { OutcomeReader, reportJson, type Report } from "@glovebox/contract";
import { runScanner } from "../../cli/src/scanner/run-scanner.ts";
import { MAX_CONCURRENCY } from "../../scanner-job/src/transport/pace.ts";
import { median, spreadOf, type Figure } from "./figures.ts";
import { serve } from "./processes.ts";
import { orderFor, shippedScanner } from "./scanner.ts";

const ROUND_TRIPS = 201;

/** A scan of the demo target: its requests, and its time against the least that those requests could take. */
export async function demoScanFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-bench-demo-"));
  try {
    await using demo = await serve("demo-process", { env: {}, logFile: join(folder, "demo.log") });
    const { url, caPem } = JSON.parse(demo.line) as { url: string; caPem: string };
    const before = await roundTrip(url, caPem);
    const { requests, operations, durationMs } = (await scanOf(url, caPem)).statistics;
    const tripMs = median([before, await roundTrip(url, caPem)]);
    const floorMs = (requests * tripMs) / MAX_CONCURRENCY;
    return [
      {
        name: "Scan of the demo target: requests, per operation",
        product: `${requests} requests`,
        baseline: `${operations} operations`,
        ratio: spreadOf([requests / operations]),
      },
      {
        name: `Scan of the demo target: time, requests x ${tripMs.toFixed(2)} ms / ${MAX_CONCURRENCY}`,
        product: `${(durationMs / 1000).toFixed(1)} s`,
        baseline: `${(floorMs / 1000).toFixed(1)} s`,
        ratio: spreadOf([durationMs / floorMs]),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Median milliseconds of plain requests, one after the other on one TLS connection. */
async function roundTrip(url: string, ca: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  const times: number[] = [];
  try {
    for (let turn = 0; turn < ROUND_TRIPS; turn++) {
      const started = performance.now();
      const [response] = (await once(get(`${url}/`, { agent }), "response")) as [IncomingMessage];
      await once(response.resume(), "end");
      times.push(performance.now() - started);
    }
  } finally {
    agent.destroy();
  }
  return median(times);
}

async function scanOf(url: string, extraCa: string): Promise<Report> {
  const run = {
    order: orderFor({ url, extraCa }),
    onProgress: () => {},
    signal: new AbortController().signal,
  };
  const ending = await runScanner(run, {
    program: shippedScanner(),
    node: process.execPath,
    outcomes: new OutcomeReader(),
    graceMs: 10_000,
    onStderr: (_scanId, text) => console.error(text),
  });
  if (ending.how === "delivered" && ending.outcome.status === "completed")
    return JSON.parse(await reportJson(ending.outcome.report)) as Report;
  throw new Error(`The scan of the demo target came to no report: ${JSON.stringify(ending)}`);
}
