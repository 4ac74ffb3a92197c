import { isNotFound, KubeError } from "./runtime/kube-error.ts";
import { type KubeTransport, readJson } from "./runtime/kube-transport.ts";
import { collectionPath, type Resource } from "./runtime/resource.ts";

/** A kind of policy that could unseal a scan; of one namespace, or of the whole cluster. */
export interface PolicyKind {
  readonly resource: Resource;
  readonly namespace: string | undefined;
}

/** Kinds of network plugins, by API group: those in a namespace, and those of the cluster. */
const CANDIDATES: readonly { group: string; namespaced: readonly string[]; cluster: readonly string[] }[] = [
  {
    group: "cilium.io",
    namespaced: ["ciliumnetworkpolicies"],
    cluster: ["ciliumclusterwidenetworkpolicies"],
  },
  {
    group: "crd.projectcalico.org",
    namespaced: ["networkpolicies"],
    cluster: ["globalnetworkpolicies"],
  },
  {
    group: "policy.networking.k8s.io",
    namespaced: [],
    cluster: ["adminnetworkpolicies", "clusternetworkpolicies"],
  },
];

export interface DiscoveredKinds {
  readonly kinds: readonly PolicyKind[];
  /** Resources of the whole cluster that there are and that may not be listed: the operator chose not to look. */
  readonly unseen: readonly string[];
}

/**
 * The kinds that this cluster has, each in the version that it prefers.
 * @throws KubeError, also for one of the scans' namespace that may not be listed: what cannot be seen there cannot be
 * ruled out.
 */
export async function discoverPolicyKinds(
  transport: KubeTransport,
  namespace: string,
): Promise<DiscoveredKinds> {
  const found = await Promise.all(
    CANDIDATES.map((candidate) => kindsOf(candidate, { transport, namespace })),
  );
  const all = found.flat();
  const seen = await Promise.all(all.map((kind) => mayList(transport, kind)));
  return {
    kinds: all.filter((_, index) => seen[index]),
    unseen: all
      .filter((_, index) => !seen[index])
      .map(({ resource: { plural, group } }) => `${plural}.${group}`),
  };
}

async function kindsOf(
  { group, namespaced, cluster }: (typeof CANDIDATES)[number],
  { transport, namespace }: { readonly transport: KubeTransport; readonly namespace: string },
): Promise<PolicyKind[]> {
  const served = await servedBy(transport, group);
  const among = (plurals: readonly string[], where: string | undefined): PolicyKind[] =>
    served
      .filter(({ plural }) => plurals.includes(plural))
      .map((resource) => ({ resource, namespace: where }));
  return [...among(namespaced, namespace), ...among(cluster, undefined)];
}

async function servedBy(transport: KubeTransport, group: string): Promise<Resource[]> {
  const about = await getJson<{ preferredVersion?: { version?: string } }>(transport, `/apis/${group}`);
  const version = about?.preferredVersion?.version;
  if (version === undefined) return [];
  const list = await getJson<{ resources?: { name: string }[] }>(transport, `/apis/${group}/${version}`);
  return (list?.resources ?? []).map(({ name }) => ({ group, version, plural: name }));
}

async function mayList(transport: KubeTransport, { resource, namespace }: PolicyKind): Promise<boolean> {
  try {
    const body = await transport({ path: collectionPath(resource, namespace), query: { limit: 1 } });
    await readJson(`list ${resource.plural}`, body);
    return true;
  } catch (error) {
    if (namespace === undefined && error instanceof KubeError && error.code === 403) return false;
    throw error;
  }
}

async function getJson<T>(transport: KubeTransport, path: string): Promise<T | undefined> {
  try {
    return await readJson<T>(`GET ${path}`, await transport({ path }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
