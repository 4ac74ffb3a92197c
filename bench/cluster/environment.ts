import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Frame, terminationMessage } from "@glovebox/contract";
import { outcomeOf } from "@glovebox/contract/testing";
import { confinedArguments } from "../../cli/src/scanner/program.ts";
import { serve } from "../src/processes.ts";
import { orderFor, shippedScanner } from "../src/scanner-figures.ts";

/** How fast Kubernetes' own controllers may work, which create the pods of Jobs. */
export interface Pace {
  /** For the table. */
  readonly name: string;
  /** Flags of kube-controller-manager. */
  readonly flags: readonly string[];
}

/** So fast that they are not what is measured. */
export const FAST: Pace = {
  name: "1,000 QPS, 50 Job workers",
  flags: paced({ qps: 1000, burst: 2000, jobs: 50, garbage: 50 }),
};
/** What they have where nobody has set anything. */
export const STOCK: Pace = {
  name: "stock: 20 QPS, 5 Job workers",
  flags: paced({ qps: 20, burst: 30, jobs: 5, garbage: 20 }),
};

export interface ControllerManager extends AsyncDisposable {
  use(pace: Pace): Promise<void>;
}

/** The controller manager, where GLOVEBOX_CLUSTER_CONTROLLER_MANAGER tells how to start it anew; in the end as it was. */
export function controllerManager(): ControllerManager | undefined {
  const command = process.env["GLOVEBOX_CLUSTER_CONTROLLER_MANAGER"];
  if (!command) return undefined;
  let current: Pace | undefined;
  const restart = async (flags: readonly string[]) => void (await promisify(execFile)(command, [...flags]));
  return {
    async use(pace) {
      if (pace === current) return;
      current = pace;
      await restart(pace.flags);
    },
    async [Symbol.asyncDispose]() {
      if (current) await restart([]);
    },
  };
}

interface Rates {
  readonly qps: number;
  readonly burst: number;
  readonly jobs: number;
  readonly garbage: number;
}

function paced({ qps, burst, jobs, garbage }: Rates): string[] {
  return [
    `--kube-api-qps=${qps}`,
    `--kube-api-burst=${burst}`,
    `--concurrent-job-syncs=${jobs}`,
    `--concurrent-gc-syncs=${garbage}`,
  ];
}

const DELAY_SECONDS = 1;

/**
 * Simulated nodes (GLOVEBOX_CLUSTER_KWOK) on which each scan takes a second, and says what a real scan of the hardened
 * demo target said. The command takes `--nodes`, `--delay SECONDS`, `--logs FILE` and `--message TEXT`.
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

/** Lines of the scanner that ships, sealed by addresses where nobody is. */
async function outputOfScanner(folder: string): Promise<string> {
  await using demo = await serve("demo-process", {
    env: { BENCH_DEMO: "hardened" },
    logFile: join(folder, "demo.log"),
  });
  const { url, caPem } = JSON.parse(demo.line) as { url: string; caPem: string };
  const program = shippedScanner();
  const child = spawn(process.execPath, confinedArguments(program), {
    env: {},
    cwd: dirname(program.file),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const canaries = ["224.0.0.1", "100::1"].map((address) => ({ address, port: 8099 }));
  const isolation = { canaries, controlEndpoints: [], waitSeconds: 1 };
  child.stdin.end(JSON.stringify({ ...orderFor({ url, extraCa: caPem }), isolation }));
  const output = await text(child.stdout);
  const outcome = outcomeOf(output.split("\n"));
  if (outcome.status === "completed" && outcome.report.isolation) return output;
  throw new Error(`The scan of the demo target came to no report: ${JSON.stringify(outcome)}`);
}
