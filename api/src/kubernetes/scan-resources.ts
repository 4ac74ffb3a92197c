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
  /** The resources that there are at this moment, however they were made. Rejects where those of the API's cannot be seen. */
  present(): Promise<PresentScans>;
}

export interface PresentScans {
  readonly uids: ReadonlySet<string>;
  /** The namespaces that were looked at. */
  readonly namespaces: ReadonlySet<string>;
  /** Those that could not be. */
  readonly unseen: readonly string[];
}

/** A resource that there is. */
export type ResourceName = Pick<Launched, "uid" | "namespace">;

const PAGE = 500;
const METADATA_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** Makes Scans in the namespace, and sees those of the others, too. */
export function scanResources(
  client: KubeClient,
  namespace: string,
  others: readonly string[] = [],
): ScanResources {
  const path = pathIn(namespace);
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
    async present() {
      const uids = await uidsIn(client, namespace);
      const namespaces = new Set([namespace]);
      const unseen: string[] = [];
      for (const other of others) {
        const seen = await uidsIn(client, other).catch(unlessFailure);
        if (seen) namespaces.add(other);
        else unseen.push(other);
        for (const uid of seen ?? []) uids.add(uid);
      }
      return { uids, namespaces, unseen };
    },
  };
}

const pathIn = (namespace: string): string => `/apis/${GROUP}/${VERSION}/namespaces/${namespace}/${PLURAL}`;

/** Another namespace may be gone, or not to be read any more. */
function unlessFailure(error: unknown): undefined {
  if (!(error instanceof KubeFailure)) throw error;
}

async function uidsIn(client: KubeClient, namespace: string): Promise<Set<string>> {
  const uids = new Set<string>();
  let next: string | undefined;
  do {
    // Not from the server's cache, which may be behind: a scan without a resource counts as cancelled.
    const from = next === undefined ? "" : `&continue=${encodeURIComponent(next)}`;
    const path = `${pathIn(namespace)}?limit=${PAGE}${from}`;
    const call = { name: "list scans", method: "GET", path, accept: METADATA_ONLY } as const;
    const page = (await client.call(call)) as MetadataPage;
    for (const { metadata } of page.items ?? []) uids.add(metadata.uid);
    next = page.metadata.continue || undefined;
  } while (next !== undefined);
  return uids;
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
