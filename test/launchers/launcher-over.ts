import {
  createKubernetesLauncher,
  createSweepMetrics,
  createSweeper,
  type Installation,
  type ScanResources,
} from "@glovebox/api/kubernetes";
import type { Store } from "@glovebox/store";

const silent = { info: () => undefined, warn: () => undefined };

/** The launcher of Kubernetes, and a sweeper that takes what was accepted a moment ago for left behind. */
export function launcherOver(store: Store, resources: ScanResources, installation: Installation) {
  const own = { store, resources, installation, logger: silent };
  return {
    launcher: createKubernetesLauncher({ ...own, launches: store.launches, now: () => new Date() }),
    sweeper: createSweeper({
      ...own,
      metrics: createSweepMetrics(),
      now: () => new Date(Date.now() + 10_000),
      everyMs: 60_000,
    }),
  };
}
