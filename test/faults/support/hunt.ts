import { watchPods, type ScanPods, type SeenPod } from "./pods.ts";

/** Scan pods that are destroyed on purpose, and how often that befell each scan. */
export interface Hunt {
  readonly pods: ScanPods;
  readonly destroyed: ReadonlyMap<string, number>;
  /** Deletes the pod, and counts that against its scan. */
  destroy(pod: SeenPod, atOnce: boolean): Promise<void>;
  /** From now on each pod of the scan is destroyed as soon as it runs. */
  hunt(scanId: string): void;
}

export function huntIn(namespace: string, onRunning: (scanId: string) => void): Hunt {
  const prey = new Set<string>();
  const destroyed = new Map<string, number>();
  const pods = watchPods(namespace, (pod) => {
    if (pod.phase !== "Running") return;
    if (prey.has(pod.scanId)) void destroy(pod, true);
    onRunning(pod.scanId);
  });
  const destroy = async (pod: SeenPod, atOnce: boolean): Promise<void> => {
    if (!(await pods.destroy(pod, atOnce))) return;
    destroyed.set(pod.scanId, (destroyed.get(pod.scanId) ?? 0) + 1);
  };
  return { pods, destroyed, destroy, hunt: (scanId) => void prey.add(scanId) };
}
