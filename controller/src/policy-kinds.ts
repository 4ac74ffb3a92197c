import { isNotFound } from "./runtime/kube-error.ts";
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

/**
 * The kinds that this cluster has, each in the version that it prefers. One that may not be listed is an error: what
 * cannot be seen cannot be ruled out.
 * @throws KubeError
 */
export async function discoverPolicyKinds(
  transport: KubeTransport,
  namespace: string,
): Promise<PolicyKind[]> {
  const found = await Promise.all(
    CANDIDATES.map(async ({ group, namespaced, cluster }): Promise<PolicyKind[]> => {
      const served = await servedBy(transport, group);
      const kinds = (plurals: readonly string[], where: string | undefined): PolicyKind[] =>
        served
          .filter(({ plural }) => plurals.includes(plural))
          .map((resource) => ({ resource, namespace: where }));
      return [...kinds(namespaced, namespace), ...kinds(cluster, undefined)];
    }),
  );
  const all = found.flat();
  await Promise.all(all.map((kind) => mayList(transport, kind)));
  return all;
}

async function servedBy(transport: KubeTransport, group: string): Promise<Resource[]> {
  const about = await getJson<{ preferredVersion?: { version?: string } }>(transport, `/apis/${group}`);
  const version = about?.preferredVersion?.version;
  if (version === undefined) return [];
  const list = await getJson<{ resources?: { name: string }[] }>(transport, `/apis/${group}/${version}`);
  return (list?.resources ?? []).map(({ name }) => ({ group, version, plural: name }));
}

async function mayList(transport: KubeTransport, { resource, namespace }: PolicyKind): Promise<void> {
  const body = await transport({ path: collectionPath(resource, namespace), query: { limit: 1 } });
  await readJson(`list ${resource.plural}`, body);
}

async function getJson<T>(transport: KubeTransport, path: string): Promise<T | undefined> {
  try {
    return await readJson<T>(`GET ${path}`, await transport({ path }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
