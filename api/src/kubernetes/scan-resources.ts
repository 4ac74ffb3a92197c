import { isDeepStrictEqual } from "node:util";
import {
  API_NAME,
  API_VERSION,
  GROUP,
  KIND,
  LABELS,
  PLURAL,
  VERSION,
  claimsRow,
  type ScanManifest,
  type ScanResource,
} from "@glovebox/k8s";
import type { Launched } from "@glovebox/store";
import type { LaunchedScan } from "../deps.ts";
import type { KubeClient } from "./kube-client.ts";
import { KubeFailure } from "./kube-failure.ts";

/** The Scan resources of a namespace, as far as the API deals with them. Every method rejects with `KubeFailure`. */
export interface ScanResources {
  /**
   * The identity of the resource that it made. One that is there already, made for this very scan, is as good as made;
   * any other one of its name is a refusal (`isRefusal`).
   */
  create(scan: LaunchedScan): Promise<ResourceName>;
  /** One that is gone already is as good as deleted. A resource that the API did not make is left alone. */
  remove(scanId: string): Promise<void>;
  /** Uids of the resources that there are at this moment, however they were made. */
  uids(): Promise<Set<string>>;
}

/** A resource that there is. */
export type ResourceName = Pick<Launched, "uid" | "namespace">;

const PAGE = 500;
const METADATA_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

export function scanResources(client: KubeClient, namespace: string): ScanResources {
  const path = `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/${PLURAL}`;
  const read = async (name: string): Promise<ScanResource> =>
    (await client.call({ name: "get scan", method: "GET", path: `${path}/${name}` })) as ScanResource;
  const post = async (body: ScanManifest): Promise<ScanResource> => {
    try {
      return (await client.call({ name: "create scan", method: "POST", path, body })) as ScanResource;
    } catch (error) {
      if (!isFailure(error, isAlreadyThere)) throw error;
      const there = await read(body.metadata.name!);
      if (isMadeFrom(body, there)) return there;
      throw error;
    }
  };
  return {
    async create(scan) {
      const { metadata } = await post(manifestOf(scan, namespace));
      return { uid: metadata.uid, namespace };
    },
    async remove(scanId) {
      try {
        const scan = await read(scanId);
        if (!claimsRow(scan)) return;
        const body = { preconditions: { uid: scan.metadata.uid } };
        await client.call({ name: "delete scan", method: "DELETE", path: `${path}/${scanId}`, body });
      } catch (error) {
        if (!isFailure(error, ({ status, reason }) => status === 404 || reason === "Conflict")) throw error;
      }
    },
    async uids() {
      const uids = new Set<string>();
      let next: string | undefined;
      do {
        // Not from the server's cache, which may be behind: a scan without a resource counts as cancelled.
        const from = next === undefined ? "" : `&continue=${encodeURIComponent(next)}`;
        const call = { name: "list scans", method: "GET", path: `${path}?limit=${PAGE}${from}` } as const;
        const page = (await client.call({ ...call, accept: METADATA_ONLY })) as MetadataPage;
        for (const { metadata } of page.items ?? []) uids.add(metadata.uid);
        next = page.metadata.continue || undefined;
      } while (next !== undefined);
      return uids;
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

const isFailure = (error: unknown, which: (failure: KubeFailure) => boolean): boolean =>
  error instanceof KubeFailure && which(error);

/** The resource is what the API makes of this scan: of nothing else does it have the name, the label and the spec. */
const isMadeFrom = ({ spec }: ScanManifest, there: ScanResource): boolean =>
  claimsRow(there) && isDeepStrictEqual(there.spec, spec);

function manifestOf({ id, account, url, specUrl, context }: LaunchedScan, namespace: string): ScanManifest {
  return {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: { name: id, namespace, labels: { [LABELS.managedBy]: API_NAME } },
    spec: { url, account, ...(specUrl !== null && { specUrl }), ...(context !== null && { context }) },
  };
}
