import { overriding } from "@glovebox/store/testing";
import {
  createKubernetesLauncher,
  createSweepMetrics,
  createSweeper,
  type Installation,
  type ScanResources,
} from "@glovebox/api/kubernetes";
import type { Store } from "@glovebox/store";

const silent = { info: () => undefined, warn: () => undefined };

/** The launcher for Kubernetes, and a sweeper that launches unlaunched scans of any age. */
export function kubernetesLauncher(store: Store, resources: ScanResources, installation: Installation) {
  const unlaunched: Store["launches"]["unlaunched"] = (of, _ageSeconds, limit) =>
    store.launches.unlaunched(of, 0, limit);
  const own = { store, resources, installation, logger: silent };
  return {
    launcher: createKubernetesLauncher({ ...own, launches: store.launches }),
    sweeper: createSweeper({
      ...own,
      store: { ...store, launches: overriding(store.launches, { unlaunched }) },
      metrics: createSweepMetrics(),
      now: () => new Date(),
      everyMs: 60_000,
    }),
  };
}
