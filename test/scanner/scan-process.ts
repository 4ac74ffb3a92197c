import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Outcome, ScanOrder } from "@glovebox/contract";
import { outcomeOf } from "@glovebox/contract/testing";
import { bundledScanner, confinedArguments } from "../../cli/src/scanner/program.ts";

/** As the command starts it: confined to its own files, and with a bounded heap. */
const ARGUMENTS = confinedArguments(bundledScanner(fileURLToPath(new URL("../../dist", import.meta.url))));
/** Between two looks at the memory, in milliseconds. */
const LOOK_EVERY = 50;

/** What a scanner process came to, and the most memory it ever held, in MiB (Linux: VmHWM). */
export interface ProcessRun {
  readonly outcome: Outcome;
  readonly peakMiB: number;
  readonly exitCode: number | null;
}

/** Runs the shipped scanner on one order, as a Job would. `npm run build` makes it; scripts/test.mjs does so first. */
export async function scanInProcess(order: ScanOrder): Promise<ProcessRun> {
  const child = spawn(process.execPath, ARGUMENTS, { stdio: ["pipe", "pipe", "inherit"], env: {} });
  const lines: string[] = [];
  let peakMiB = 0;
  const look = (): void => void (peakMiB = Math.max(peakMiB, peakOf(child.pid!)));
  const looking = setInterval(look, LOOK_EVERY);
  createInterface({ input: child.stdout }).on("line", (line) => {
    look();
    lines.push(line);
  });
  child.stdin.end(JSON.stringify(order));
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(looking);
  return { outcome: outcomeOf(lines), peakMiB, exitCode };
}

/** The kernel's own high-water mark: it misses nothing between two looks. */
function peakOf(pid: number): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes ?? 0) / 1024;
  } catch {
    return 0; // it has just ended
  }
}
