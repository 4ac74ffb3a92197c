import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { kubectl } from "../../cluster/support/kubectl.ts";

/** A scan pod as it was last seen. */
export interface SeenPod {
  readonly name: string;
  readonly scanId: string;
  readonly phase: string;
}

/** The scan pods of a namespace, which can be deleted on purpose. */
export interface ScanPods {
  /** Those that run. */
  running(): readonly SeenPod[];
  /** Deletes it, with its grace period or without, and counts that against its scan unless it was gone before. */
  destroy(pod: SeenPod, options: { gracefully: boolean }): Promise<void>;
  /** From now on each pod of the scan is deleted as soon as it runs. */
  destroyEveryPodOf(scanId: string): void;
  /** How often a pod of a scan was deleted, by the id of the scan. */
  readonly destroyed: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const COLUMNS = "custom-columns=NAME:.metadata.name,PHASE:.status.phase";

/** Watches them, again whenever the watch breaks, and reports each pod that starts to run. */
export function watchScanPods(namespace: string, onRunning: (scanId: string) => void): ScanPods {
  const phases = new Map<string, SeenPod>();
  const destroyed = new Map<string, number>();
  const doomed = new Set<string>();
  const stop = new AbortController();
  const destroy: ScanPods["destroy"] = async ({ name, scanId }, { gracefully }) => {
    phases.delete(name);
    const how = gracefully ? [] : ["--grace-period=0", "--force"];
    await kubectl(["delete", "pod", name, "-n", namespace, "--wait=false", ...how]).then(
      () => destroyed.set(scanId, (destroyed.get(scanId) ?? 0) + 1),
      () => undefined,
    );
  };
  const onLine = (line: string): void => {
    const [name = "", phase = ""] = line.trim().split(/\s+/);
    const [, scanId] = /^(scan-\w{26})-\d+-\w+$/.exec(name) ?? [];
    if (scanId === undefined || phases.get(name)?.phase === phase) return;
    const pod = { name, scanId, phase };
    phases.set(name, pod);
    if (phase !== "Running") return;
    if (doomed.has(scanId)) void destroy(pod, { gracefully: false });
    onRunning(scanId);
  };
  const watched = watchUntil(stop.signal, namespace, onLine);
  return {
    running: () => [...phases.values()].filter(({ phase }) => phase === "Running"),
    destroy,
    destroyEveryPodOf: (scanId) => void doomed.add(scanId),
    destroyed,
    async close() {
      stop.abort();
      await watched;
    },
  };
}

async function watchUntil(
  signal: AbortSignal,
  namespace: string,
  onLine: (line: string) => void,
): Promise<void> {
  const args = ["get", "pods", "-n", namespace, "--watch", "--no-headers", "-o", COLUMNS];
  while (!signal.aborted) {
    const child = spawn("kubectl", args, { stdio: ["ignore", "pipe", "ignore"], signal });
    child.on("error", () => undefined);
    createInterface({ input: child.stdout }).on("line", onLine);
    await once(child, "close").catch(() => undefined);
    await delay(200, undefined, { signal }).catch(() => undefined);
  }
}
