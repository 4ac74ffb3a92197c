import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { Agent, get } from "node:https";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { OutcomeReader, unpacked } from "@glovebox/scan-run";
import { type Report, DEFAULT_LIMITS, type ScanOrder } from "@glovebox/contract";
import {
  bundledScanner,
  confinedArguments,
  SCANNER_ENVIRONMENT,
  type ScannerProgram,
} from "../../cli/src/scanner/program.ts";
import { atMost, median, spreadOf, type Figure } from "./figures.ts";
import { runScanner } from "../../cli/src/scanner/run-scanner.ts";
import { MAX_CONCURRENCY } from "../../scanner-job/src/transport/pace.ts";
import { startDemo } from "./processes.ts";

const ROUNDS = 21;

/** Time from the start of the scanner to its first request, compared with `node -e 0`. */
export async function coldStartFigures(): Promise<Figure[]> {
  const target = createServer((_req, res) => res.end("{}"));
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  try {
    const [products, baselines]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const baseline = await emptyNodeRun();
      const product = await firstRequest(target);
      if (round === 0) continue; // fills the disk cache
      baselines.push(baseline);
      products.push(product);
    }
    const ratio = { ...spreadOf(products.map((ms, round) => ms / baselines[round]!)) };
    const ofMedians = { ...ratio, median: median(products) / median(baselines) };
    return [
      {
        name: "Scanner start to first request",
        product: `${Math.round(median(products))} ms`,
        baseline: `${Math.round(median(baselines))} ms`,
        ratio: ofMedians,
        goal: atMost(ofMedians, 2),
      },
    ];
  } finally {
    target.close();
    target.closeAllConnections();
  }
}

async function emptyNodeRun(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { env: {}, stdio: "ignore" }), "exit");
  return performance.now() - started;
}

async function firstRequest(target: Server): Promise<number> {
  const { port } = target.address() as AddressInfo;
  const order = JSON.stringify(orderFor({ url: `http://127.0.0.1:${port}/` }));
  const arrived = once(target, "request").then(() => performance.now());
  const started = performance.now();
  const program = scannerBundle();
  const child = spawn(process.execPath, confinedArguments(program), {
    env: SCANNER_ENVIRONMENT,
    cwd: dirname(program.file),
    stdio: ["pipe", "ignore", "inherit"],
  });
  child.stdin.end(order);
  const exited = once(child, "exit");
  const failed = exited.then(([code]) => Promise.reject(new Error(`The scanner exited with ${code}`)));
  const at = await Promise.race([arrived, failed]);
  failed.catch(() => {});
  child.kill("SIGKILL");
  await exited;
  return at - started;
}

const ROUND_TRIPS = 201;

/** A scan of the demo target: requests per operation, and its duration compared with the minimum for that many requests. */
export async function demoScanFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-bench-demo-"));
  try {
    await using demo = await startDemo("vulnerable", folder);
    const { url, caPem } = demo;
    const before = await roundTrip(url, caPem);
    const { requests, operations, durationMs } = (await scanOf(url, caPem)).statistics;
    const tripMs = median([before, await roundTrip(url, caPem)]);
    const minimumMs = (requests * tripMs) / MAX_CONCURRENCY;
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
        baseline: `${(minimumMs / 1000).toFixed(1)} s`,
        ratio: spreadOf([durationMs / minimumMs]),
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Median duration of sequential requests over one TLS connection, in milliseconds. */
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

/** The report of one scan of a target on this machine. */
export async function scanOf(url: string, extraCa?: string): Promise<Report> {
  const run = {
    order: orderFor({ url, ...(extraCa !== undefined && { extraCa }) }),
    onProgress: () => {},
    signal: new AbortController().signal,
  };
  const ending = await runScanner(run, {
    program: scannerBundle(),
    node: process.execPath,
    outcomes: new OutcomeReader(),
    graceMs: 10_000,
    onStderr: (_scanId, text) => console.error(text),
  });
  if (ending.how === "delivered" && ending.outcome.status === "completed")
    return JSON.parse(await unpacked(ending.outcome.report.body)) as Report;
  throw new Error(`The scan has no report: ${JSON.stringify(ending)}`);
}

/** The bundled scanner with the files that it may read. */
export const scannerBundle = (): ScannerProgram =>
  bundledScanner(fileURLToPath(new URL("../../dist", import.meta.url)));

/** The order for a scan of a target on this machine. */
export function orderFor({ url, extraCa }: { url: string; extraCa?: string }): ScanOrder {
  const { hostname, port } = new URL(url);
  return {
    scanId: "bench",
    url,
    pins: [{ host: hostname, addresses: ["127.0.0.1"], ports: [Number(port)] }],
    ...(extraCa !== undefined && { extraCa }),
    limits: DEFAULT_LIMITS,
  };
}
