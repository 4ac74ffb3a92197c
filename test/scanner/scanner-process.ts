import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Outcome } from "@glovebox/scan-run";
import type { ScanOrder } from "@glovebox/contract";
import { outcomeOf } from "@glovebox/scan-run/testing";
import { processMemory } from "../support/process-memory.ts";
import { bundledScanner, confinedArguments, SCANNER_ENVIRONMENT } from "../../cli/src/scanner/program.ts";

/** As the command starts it: with Node's permission model and a bounded heap. */
const ARGUMENTS = confinedArguments(bundledScanner(fileURLToPath(new URL("../../dist", import.meta.url))));
/** Interval between two reads of the memory. */
const POLL_MS = 50;

/** The outcome of a scanner process, and its peak memory in MiB. */
export interface ScannerRun {
  readonly outcome: Outcome;
  readonly peakMiB: number;
  readonly exitCode: number | null;
}

/** Runs the bundled scanner with one order, like a Job. `npm run build` bundles it. */
export async function runScannerProcess(order: ScanOrder): Promise<ScannerRun> {
  const child = spawn(process.execPath, ARGUMENTS, {
    stdio: ["pipe", "pipe", "inherit"],
    env: SCANNER_ENVIRONMENT,
  });
  const lines: string[] = [];
  let peakMiB = 0;
  const measure = (): void => void (peakMiB = Math.max(peakMiB, processMemory(child.pid!)?.peak ?? 0));
  const polling = setInterval(measure, POLL_MS);
  createInterface({ input: child.stdout }).on("line", (line) => {
    measure();
    lines.push(line);
  });
  child.stdin.end(JSON.stringify(order));
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(polling);
  return { outcome: outcomeOf(lines), peakMiB, exitCode };
}
