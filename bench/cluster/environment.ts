import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Frame, terminationMessage } from "@glovebox/scan-run";
import { outcomeOf } from "@glovebox/scan-run/testing";
import { confinedArguments, SCANNER_ENVIRONMENT } from "../../cli/src/scanner/program.ts";
import { startDemo } from "../src/processes.ts";
import { orderFor, scannerBundle } from "../src/scanner-figures.ts";

/** Rate limits of kube-controller-manager, which creates the pods of Jobs. */
export interface RateLimits {
  /** Name in the table. */
  readonly name: string;
  /** Flags of kube-controller-manager. */
  readonly flags: readonly string[];
}

/** High enough that kube-controller-manager is not the bottleneck. */
export const FAST: RateLimits = {
  name: "1,000 QPS, 50 Job workers",
  flags: flagsFor({ qps: 1000, burst: 2000, jobs: 50, garbage: 50 }),
};
/** The defaults of Kubernetes. */
export const STOCK: RateLimits = {
  name: "stock: 20 QPS, 5 Job workers",
  flags: flagsFor({ qps: 20, burst: 30, jobs: 5, garbage: 20 }),
};

export interface ControllerManager extends AsyncDisposable {
  use(limits: RateLimits): Promise<void>;
}

/** GLOVEBOX_CLUSTER_CONTROLLER_MANAGER restarts the controller manager with flags. It is restored on disposal. */
export function controllerManager(): ControllerManager | undefined {
  const command = process.env["GLOVEBOX_CLUSTER_CONTROLLER_MANAGER"];
  if (!command) return undefined;
  let current: RateLimits | undefined;
  const restart = async (flags: readonly string[]) => void (await promisify(execFile)(command, [...flags]));
  return {
    async use(limits) {
      if (limits === current) return;
      current = limits;
      await restart(limits.flags);
    },
    async [Symbol.asyncDispose]() {
      if (current) await restart([]);
    },
  };
}

interface Limits {
  readonly qps: number;
  readonly burst: number;
  readonly jobs: number;
  readonly garbage: number;
}

function flagsFor({ qps, burst, jobs, garbage }: Limits): string[] {
  return [
    `--kube-api-qps=${qps}`,
    `--kube-api-burst=${burst}`,
    `--concurrent-job-syncs=${jobs}`,
    `--concurrent-gc-syncs=${garbage}`,
  ];
}

const DELAY_SECONDS = 1;

/**
 * Adds simulated nodes (GLOVEBOX_CLUSTER_KWOK) on which each pod runs for a second and prints the report of a real scan of the
 * hardened demo target. The command takes `--nodes`, `--delay SECONDS`, `--logs FILE` and `--message TEXT`.
 */
export async function addSimulatedNodes(command: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-bench-kwok-"));
  try {
    const output = await outputOfScanner(folder);
    const log = join(folder, "scanner.log");
    writeFileSync(log, output);
    const frames = output
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Frame);
    const message = terminationMessage(frames.filter(({ frame }) => frame !== "progress"));
    const nodes = ["--nodes", "10", "--delay", String(DELAY_SECONDS)];
    await promisify(execFile)(command, [...nodes, "--logs", log, "--message", message]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The output of the bundled scanner for the demo target. Its canaries have addresses that no connection can reach. */
async function outputOfScanner(folder: string): Promise<string> {
  await using demo = await startDemo("hardened", folder);
  const program = scannerBundle();
  const child = spawn(process.execPath, confinedArguments(program), {
    env: SCANNER_ENVIRONMENT,
    cwd: dirname(program.file),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const canaries = ["224.0.0.1", "100::1"].map((address) => ({ address, port: 8099 }));
  const isolation = { canaries, controlEndpoints: [], waitSeconds: 1 };
  child.stdin.end(JSON.stringify({ ...orderFor({ url: demo.url, extraCa: demo.caPem }), isolation }));
  const output = await text(child.stdout);
  const outcome = outcomeOf(output.split("\n"));
  if (outcome.status === "completed" && outcome.report.isolation) return output;
  throw new Error(`The scan of the demo target has no report: ${JSON.stringify(outcome)}`);
}
