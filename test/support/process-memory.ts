import { readFileSync } from "node:fs";

/** Resident memory of a process, in MiB. */
export interface ProcessMemory {
  readonly current: number;
  readonly peak: number;
}

/** VmRSS and VmHWM of /proc: undefined after the process has ended, and on systems other than Linux. */
export function processMemory(pid: number): ProcessMemory | undefined {
  const mib = (status: string, field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)![1]) / 1024;
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return { current: mib(status, "VmRSS"), peak: mib(status, "VmHWM") };
  } catch {
    return undefined;
  }
}
