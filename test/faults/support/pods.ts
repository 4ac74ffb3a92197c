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

/** The scan pods of a namespace. */
export interface ScanPods {
  /** Those that run. */
  running(): readonly SeenPod[];
  /** Deletes it, at once or in good order; false when it was gone before. */
  destroy(pod: SeenPod, atOnce: boolean): Promise<boolean>;
  close(): Promise<void>;
}

const COLUMNS = "custom-columns=NAME:.metadata.name,PHASE:.status.phase";

/** Watches them, also after the watch was cut off, and tells of each change of phase. */
export function watchPods(namespace: string, onPhase: (pod: SeenPod) => void): ScanPods {
  const phases = new Map<string, SeenPod>();
  const stop = new AbortController();
  const onLine = (line: string): void => {
    const [name = "", phase = ""] = line.trim().split(/\s+/);
    const [, scanId] = /^(scan-\w{26})-\d+-\w+$/.exec(name) ?? [];
    if (scanId === undefined || phases.get(name)?.phase === phase) return;
    const pod = { name, scanId, phase };
    phases.set(name, pod);
    onPhase(pod);
  };
  const watched = watchUntil(stop.signal, namespace, onLine);
  return {
    running: () => [...phases.values()].filter(({ phase }) => phase === "Running"),
    async destroy({ name }, atOnce) {
      phases.delete(name);
      const how = atOnce ? ["--grace-period=0", "--force"] : [];
      return kubectl(["delete", "pod", name, "-n", namespace, "--wait=false", ...how]).then(
        () => true,
        () => false,
      );
    },
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
