import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { FrameReader, type Outcome, type ScanOrder } from "@glovebox/contract";

const [SCANNER, SPEC_WORKER] = ["scanner-job", "spec-worker"].map((name) =>
  fileURLToPath(new URL(`../../dist/${name}.mjs`, import.meta.url)),
) as [string, string];

/** As the command starts it: confined to its own files, and with a bounded heap. */
const ARGUMENTS = [
  "--permission",
  `--allow-fs-read=${SCANNER}`,
  `--allow-fs-read=${SPEC_WORKER}`,
  "--allow-worker",
  "--max-old-space-size=192",
  "--disable-warning=SecurityWarning",
  SCANNER,
];
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
  const reader = new FrameReader();
  let peakMiB = 0;
  const look = (): void => void (peakMiB = Math.max(peakMiB, peakOf(child.pid!)));
  const looking = setInterval(look, LOOK_EVERY);
  createInterface({ input: child.stdout }).on("line", (line) => {
    look();
    reader.line(line);
  });
  child.stdin.end(JSON.stringify(order));
  const exitCode = await new Promise<number | null>((resolve) => child.once("close", resolve));
  clearInterval(looking);
  return { outcome: reader.outcome(), peakMiB, exitCode };
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
