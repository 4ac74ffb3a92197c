import {
  API_NAME,
  API_VERSION,
  GROUP,
  KIND,
  LABELS,
  PLURAL,
  VERSION,
  scanIdOf,
  type ScanManifest,
  type ScanResource,
} from "@glovebox/k8s";
import type { LaunchedScan } from "../deps.ts";
import type { KubeClient } from "./kube-client.ts";
import { KubeFailure } from "./kube-failure.ts";

/** The Scan resources of a namespace, as far as the API deals with them. Every method rejects with `KubeFailure`. */
export interface ScanResources {
  /** One that exists already is as good as created. */
  create(scan: LaunchedScan): Promise<void>;
  /** One that is gone already is as good as deleted. */
  remove(scanId: string): Promise<void>;
  /** Ids of the scans that have a resource at this moment, however it was made. */
  scanIds(): Promise<Set<string>>;
}

const PAGE = 500;
const METADATA_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

export function scanResources(client: KubeClient, namespace: string): ScanResources {
  const path = `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/${PLURAL}`;
  return {
    async create(scan) {
      const body = manifestOf(scan, namespace);
      await succeeding(client.call({ name: "create scan", method: "POST", path, body }), isAlreadyThere);
    },
    async remove(scanId) {
      const call = { name: "delete scan", method: "DELETE", path: `${path}/${scanId}` } as const;
      await succeeding(client.call(call), ({ status }) => status === 404);
    },
    async scanIds() {
      const ids = new Set<string>();
      let next: string | undefined;
      do {
        // Not from the server's cache, which may be behind: a scan without a resource counts as cancelled.
        const from = next === undefined ? "" : `&continue=${encodeURIComponent(next)}`;
        const call = { name: "list scans", method: "GET", path: `${path}?limit=${PAGE}${from}` } as const;
        const page = (await client.call({ ...call, accept: METADATA_ONLY })) as MetadataPage;
        for (const item of page.items ?? []) ids.add(scanIdOf(item));
        next = page.metadata.continue || undefined;
      } while (next !== undefined);
      return ids;
    },
  };
}

interface MetadataPage {
  readonly metadata: { readonly continue?: string };
  /** The API server says null where there is none. */
  readonly items: readonly Pick<ScanResource, "metadata">[] | null;
}

const isAlreadyThere = ({ status, reason }: KubeFailure): boolean =>
  status === 409 && reason === "AlreadyExists";

async function succeeding(call: Promise<unknown>, also: (failure: KubeFailure) => boolean): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof KubeFailure) || !also(error)) throw error;
  }
}

function manifestOf({ id, account, url, specUrl, context }: LaunchedScan, namespace: string): ScanManifest {
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: id, namespace, labels: { [LABELS.managedBy]: API_NAME } },
    spec: { url, account, ...(specUrl !== null && { specUrl }), ...(context !== null && { context }) },
  };
}
