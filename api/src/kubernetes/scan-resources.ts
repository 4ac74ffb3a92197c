import { isDeepStrictEqual } from "node:util";
import {
  API_NAME,
  API_VERSION,
  KIND,
  LABELS,
  SCANS,
  claimsRow,
  identitiesSecretName,
  type Condition,
  type ScanManifest,
  type ScanResource,
} from "@glovebox/k8s";
import {
  createKubeClient,
  isAlreadyExists,
  isConflict,
  KubeError,
  listPages,
  objects,
  type KubeClient,
  type KubeConnection,
  type KubeTransport,
} from "@glovebox/kube";
import { requestOf, type BoundScan, type LaunchableScan, type ScanRow } from "@glovebox/store";
import { createIdentitiesSecret, type IdentitySource } from "./identities-secret.ts";

/** Operations of the API on Scan resources. Every method rejects with `KubeError`; `create` also with an error of the source. */
export interface ScanResources {
  /**
   * The scan with the resource that was created for it, and the Secret of its identities. What exists already for this very scan counts
   * as created; any other Scan of its name is a refusal (`isRefusal`).
   */
  create(scan: LaunchableScan, account: string): Promise<BoundScan>;
  /** Deletes the Scan resource. A missing one counts as deleted; one that the API did not create is not deleted. */
  remove(scanId: string): Promise<void>;
  /** The conditions of the scan's own resource; empty when it is not in the namespace of the API. */
  conditions(scan: Pick<ScanRow, "id" | "resourceUid">): Promise<readonly Condition[]>;
  /** All existing Scan resources, also those created by users. Rejects if the namespace of the API cannot be listed. */
  present(): Promise<PresentScans>;
}

export interface PresentScans {
  readonly uids: ReadonlySet<string>;
  /** The namespaces that were listed. */
  readonly namespaces: ReadonlySet<string>;
  /** Namespaces that could not be listed. */
  readonly unlisted: readonly string[];
}

/** The API server rejected the object, or another one has its name: a retry would fail again. */
export const isRefusal = (error: unknown): boolean =>
  isAlreadyExists(error) || (error instanceof KubeError && (error.code === 400 || error.code === 422));

const PAGE = 500;
const TIMEOUT_MS = 10_000;

/** Writes are retried safely: created objects have names, and deletions name the uid. */
export const apiKubeClient = (connection: KubeConnection): KubeClient =>
  createKubeClient(connection, {
    userAgent: API_NAME,
    timeoutMs: TIMEOUT_MS,
    maxConnections: 16,
    repeatWrites: true,
  });

export interface ScanResourceOptions {
  /** Namespaces whose Scans are listed, too. */
  readonly others?: readonly string[];
  readonly identities?: IdentitySource;
}

/** Creates Scans in the namespace, and lists the Scans of the others. */
export function scanResources(
  transport: KubeTransport,
  namespace: string,
  { others = [], identities: source }: ScanResourceOptions = {},
): ScanResources {
  const scans = objects<ScanResource, ScanManifest>(transport, SCANS);
  return {
    async create(scan, account) {
      const identities = scan.identityNames ? await source?.ofScan(scan.id) : undefined;
      const secretRef = { identitiesSecretRef: { name: identitiesSecretName(scan.id) } };
      const resource = await createOrFind(scans, {
        apiVersion: API_VERSION,
        kind: KIND,
        metadata: { name: scan.id, namespace, labels: { [LABELS.managedBy]: API_NAME } },
        spec: { account, ...requestOf(scan), ...(identities && secretRef) },
      });
      // After the Scan, which owns it. Until it is there, the pod of the scan waits.
      if (identities) await createIdentitiesSecret(transport, resource, identities);
      return { id: scan.id, uid: resource.metadata.uid, namespace };
    },
    async remove(scanId) {
      const name = { namespace, name: scanId };
      const scan = await scans.get(name);
      if (!scan || !claimsRow(scan)) return;
      await scans.delete({ ...name, uid: scan.metadata.uid }).catch((error: unknown) => {
        if (!isConflict(error)) throw error; // replaced by another one of its name
      });
    },
    async conditions({ id, resourceUid }) {
      const scan = await scans.get({ namespace, name: id });
      const isOwn = scan && (resourceUid === null ? claimsRow(scan) : scan.metadata.uid === resourceUid);
      return (isOwn && scan.status?.conditions) || [];
    },
    present: () => presentIn(transport, namespace, others),
  };
}

async function createOrFind(
  scans: ReturnType<typeof objects<ScanResource, ScanManifest>>,
  manifest: ScanManifest,
): Promise<ScanResource> {
  const { namespace, name } = manifest.metadata;
  try {
    return await scans.create(namespace!, manifest);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const found = await scans.get({ namespace: namespace!, name: name! });
    if (found && isMadeFrom(manifest, found)) return found;
    throw error;
  }
}

async function presentIn(
  transport: KubeTransport,
  namespace: string,
  others: readonly string[],
): Promise<PresentScans> {
  const uids = await uidsIn(transport, namespace);
  const namespaces = new Set([namespace]);
  const unlisted: string[] = [];
  for (const other of others) {
    const seen = await uidsIn(transport, other).catch(unlessKubeError);
    if (seen) namespaces.add(other);
    else unlisted.push(other);
    for (const uid of seen ?? []) uids.add(uid);
  }
  return { uids, namespaces, unlisted };
}

/** Another namespace may have been deleted, or may no longer be readable. */
function unlessKubeError(error: unknown): undefined {
  if (!(error instanceof KubeError)) throw error;
}

/** A consistent read, not from the watch cache of the server: a scan without a resource counts as cancelled. */
async function uidsIn(transport: KubeTransport, namespace: string): Promise<Set<string>> {
  const selection = { resource: SCANS, namespace, metadataOnly: true };
  const { objects: scans } = await listPages<ScanResource>(transport, { ...selection, pageSize: PAGE });
  return new Set(scans.map(({ metadata }) => metadata.uid));
}

/** The resource was created by the API for this scan: it has the same name, label and spec. */
const isMadeFrom = ({ spec }: ScanManifest, found: ScanResource): boolean =>
  claimsRow(found) && isDeepStrictEqual(found.spec, spec);
