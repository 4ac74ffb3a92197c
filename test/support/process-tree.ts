import { readFileSync } from "node:fs";

/** Process ids of the children that the main thread of a process started; none after its end. Linux only. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Memory of a process and its children in MiB, in which memory that several share counts once; undefined after its end. */
export function treeMemory(pid: number): number | undefined {
  const own = proportionalMemory(pid);
  if (own === undefined) return undefined;
  return childrenOf(pid).reduce((sum, child) => sum + (proportionalMemory(child) ?? 0), own);
}

function proportionalMemory(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+) kB/m.exec(text)![1]) / 1024;
  } catch {
    return undefined;
  }
}
