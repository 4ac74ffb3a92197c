import type { Launched, LaunchStore } from "@glovebox/store";
import type { Logger } from "pino";
import type { ScanLauncher } from "../deps.ts";
import type { Installation } from "./installation.ts";
import type { ScanResources } from "./scan-resources.ts";

export interface KubernetesLauncherDeps {
  readonly resources: Pick<ScanResources, "create" | "remove">;
  readonly launches: Pick<LaunchStore, "note">;
  readonly installation: Pick<Installation, "id">;
  readonly logger: Pick<Logger, "warn">;
  /** Milliseconds between writing down which scans were launched. */
  readonly noteEveryMs?: number;
}

export interface KubernetesLauncher extends ScanLauncher {
  /** Writes down which scans were launched since the last time. Never rejects: the next batch carries these, too. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const NOTE_EVERY_MS = 1_000;

/**
 * Launches a scan by creating its Scan resource, which the controller carries out; cancels it by deleting that. Both
 * reject with `KubeError` when the API server does not do so: the row stays for the sweep.
 */
export function createKubernetesLauncher(deps: KubernetesLauncherDeps): KubernetesLauncher {
  const { resources, launches, installation, logger, noteEveryMs = NOTE_EVERY_MS } = deps;
  let launched: Launched[] = [];
  const flush = async (): Promise<void> => {
    const batch = launched;
    if (batch.length === 0) return;
    launched = [];
    try {
      await launches.note(batch, await installation.id());
    } catch (error) {
      logger.warn({ error: (error as Error).name }, "Launches could not be recorded; retrying");
      launched = [...batch, ...launched];
    }
  };
  const timer = setInterval(() => void flush(), noteEveryMs).unref();
  return {
    installation: () => installation.id(),
    async launch(scan) {
      launched.push({ id: scan.id, ...(await resources.create(scan)) });
    },
    cancel: (scanId) => resources.remove(scanId),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
