import { readFileSync } from "node:fs";

/** Process ids of the children that the main thread of a process started; none after its end. Linux only. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/**
 * Anonymous memory of a process and its children in MiB; undefined after its end. Shared buffers and files are left out: they fill up to
 * a size that is set.
 */
export function treeMemory(pid: number): number | undefined {
  const own = anonymousMemory(pid);
  if (own === undefined) return undefined;
  return childrenOf(pid).reduce((sum, child) => sum + (anonymousMemory(child) ?? 0), own);
}

function anonymousMemory(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss_Anon:\s+(\d+) kB/m.exec(text)![1]) / 1024;
  } catch {
    return undefined;
  }
}
