import { ApiError } from "@glovebox/contract";
import { requestJson, type KubeTransport } from "@glovebox/kube";
import type { BoundScan, LaunchStore } from "@glovebox/store";
import type { Logger } from "pino";
import { BatchWriter } from "../background/batch-writer.ts";
import type { ScanLauncher } from "../deps.ts";
import { RETRY_AFTER } from "../http/respond.ts";
import type { ScanResources } from "./scan-resources.ts";

export interface KubernetesLauncherDeps {
  readonly resources: Pick<ScanResources, "create" | "remove" | "conditions">;
  readonly launches: Pick<LaunchStore, "note">;
  readonly installation: Installation;
  readonly logger: Pick<Logger, "warn">;
  /** Milliseconds between the batches in which launches are recorded. */
  readonly recordEveryMs?: number;
}

export interface KubernetesLauncher extends ScanLauncher {
  /** Records the launched scans. Never rejects: after a failure they are in the next batch. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const RECORD_EVERY_MS = 1_000;

/**
 * Launches a scan by creating its Scan resource, and cancels it by deleting the resource. Both reject with `KubeError` when the
 * API server fails; the sweep finds the row later.
 */
export function createKubernetesLauncher(deps: KubernetesLauncherDeps): KubernetesLauncher {
  const { resources, launches, installation, logger, recordEveryMs = RECORD_EVERY_MS } = deps;
  const launched = new BatchWriter<BoundScan>({
    write: async (batch) => launches.note([...batch.values()], await installation.id()),
    onFailure: (error) =>
      logger.warn({ error: (error as Error).name }, "launches could not be recorded, retrying"),
    everyMs: recordEveryMs,
  });
  return {
    installation: () => installation.id(),
    async launch(scan, account) {
      launched.add(scan.id, await resources.create(scan, account));
    },
    cancel: (scanId) => resources.remove(scanId),
    conditions: (scan) => resources.conditions(scan),
    isReachable: () =>
      installation.refresh().then(
        () => true,
        () => false,
      ),
    flush: () => launched.flush(),
    close: () => launched.close(),
  };
}

/** What distinguishes this installation from others that share its database (docs/adr/0011). */
export interface Installation {
  /** Its identity, read once. Rejects with the ApiError `unavailable` as long as it could not be read. */
  id(): Promise<string>;
  /** Reads it again: a namespace may have been deleted and created again. Rejects with `KubeError`. */
  refresh(): Promise<void>;
}

/** The installation is identified by the uid of its scan namespace, which is unique across clusters. */
export function installationOf(transport: KubeTransport, namespace: string): Installation {
  let known: string | undefined;
  const refresh = async (): Promise<void> => {
    const path = `/api/v1/namespaces/${namespace}`;
    const { metadata } = await requestJson<{ metadata: { uid: string } }>(transport, { path });
    known = metadata.uid;
  };
  return {
    refresh,
    async id() {
      if (known === undefined) await refresh().catch(unavailable);
      return known!;
    },
  };
}

function unavailable(cause: unknown): never {
  throw new ApiError("unavailable", "The cluster is not available; try again shortly.", {
    headers: RETRY_AFTER,
    cause,
  });
}
