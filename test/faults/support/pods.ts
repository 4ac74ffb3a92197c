import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { kubectl } from "../../cluster/support/kubectl.ts";

/** A scan pod in its last known phase. */
export interface SeenPod {
  readonly name: string;
  readonly scanId: string;
  readonly phase: string;
}

/** The scan pods of a namespace, with a count of those that the test deletes. */
export interface ScanPods {
  running(): readonly SeenPod[];
  /** Deletes a pod, with its grace period or without, and counts the deletion for its scan if the pod still existed. */
  delete(pod: SeenPod, options: { gracefully: boolean }): Promise<void>;
  /** Deletes each pod of the scan as soon as it runs, from now on. */
  deleteEveryPodOf(scanId: string): void;
  /** Number of deleted pods by scan id. */
  readonly deletions: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

const COLUMNS = "custom-columns=NAME:.metadata.name,PHASE:.status.phase";

/** Watches the scan pods, restarts the watch when it ends, and reports each pod that starts to run. */
export function watchScanPods(namespace: string, onRunning: (scanId: string) => void): ScanPods {
  const phases = new Map<string, SeenPod>();
  const deletions = new Map<string, number>();
  const deleteAllOf = new Set<string>();
  const stop = new AbortController();
  const deletePod: ScanPods["delete"] = async ({ name, scanId }, { gracefully }) => {
    phases.delete(name);
    const how = gracefully ? [] : ["--grace-period=0", "--force"];
    await kubectl(["delete", "pod", name, "-n", namespace, "--wait=false", ...how]).then(
      () => deletions.set(scanId, (deletions.get(scanId) ?? 0) + 1),
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
    if (deleteAllOf.has(scanId)) void deletePod(pod, { gracefully: false });
    onRunning(scanId);
  };
  const watched = watchUntil(stop.signal, namespace, onLine);
  return {
    running: () => [...phases.values()].filter(({ phase }) => phase === "Running"),
    delete: deletePod,
    deleteEveryPodOf: (scanId) => void deleteAllOf.add(scanId),
    deletions,
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
