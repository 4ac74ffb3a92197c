import {
  collectionPath,
  isNotFound,
  KubeError,
  type KubeTransport,
  requestJson,
  type Resource,
} from "@glovebox/kube";

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
    group: "crd.antrea.io",
    namespaced: ["networkpolicies"],
    cluster: ["clusternetworkpolicies"],
  },
  {
    group: "policy.networking.k8s.io",
    namespaced: [],
    cluster: ["adminnetworkpolicies", "clusternetworkpolicies"],
  },
];

/** Where Calico keeps its policies when it has no resources of the group above; else it shows the same ones there. */
const CALICO_ALONE = { ...CANDIDATES[1]!, group: "projectcalico.org" };

export interface DiscoveredKinds {
  readonly kinds: readonly PolicyKind[];
  /** Resources of the whole cluster that there are and that may not be listed: the operator chose not to look. */
  readonly unseen: readonly string[];
}

/**
 * The kinds that this cluster has, each in the version that it prefers among those that serve it. Kinds that `isHeld`
 * says yes to are not tried again.
 * @throws KubeError, also for one of the scans' namespace that may not be listed: what cannot be seen there cannot be
 * ruled out.
 */
export async function discoverPolicyKinds(
  transport: KubeTransport,
  namespace: string,
  isHeld: (kind: PolicyKind) => boolean = () => false,
): Promise<DiscoveredKinds> {
  const { groups = [] } = (await getJson<{ groups?: Group[] }>(transport, "/apis")) ?? {};
  const has = (name: string): boolean => groups.some((group) => group.name === name);
  const candidates = has("crd.projectcalico.org") ? CANDIDATES : [...CANDIDATES, CALICO_ALONE];
  const found = candidates.flatMap((candidate) => {
    const group = groups.find(({ name }) => name === candidate.group);
    return group ? [kindsOf(group, candidate, { transport, namespace })] : [];
  });
  const all = (await Promise.all(found)).flat();
  const seen = await Promise.all(all.map(async (kind) => isHeld(kind) || mayList(transport, kind)));
  return {
    kinds: all.filter((_, index) => seen[index]),
    unseen: all.filter((_, index) => !seen[index]).map(({ resource }) => nameOf(resource)),
  };
}

/** How a resource is named to people: `plural.group`. */
export const nameOf = ({ plural, group }: Resource): string => `${plural}.${group}`;

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version: string };
}

// oxlint-disable-next-line max-params -- a group, what of it is looked for, and how
async function kindsOf(
  group: Group,
  { namespaced, cluster }: (typeof CANDIDATES)[number],
  { transport, namespace }: { readonly transport: KubeTransport; readonly namespace: string },
): Promise<PolicyKind[]> {
  const served = await servedBy(transport, group);
  const among = (plurals: readonly string[], where: string | undefined): PolicyKind[] =>
    plurals.flatMap((wanted) => {
      const resource = served.find(({ plural }) => plural === wanted);
      return resource ? [{ resource, namespace: where }] : [];
    });
  return [...among(namespaced, namespace), ...among(cluster, undefined)];
}

/** Resources of all versions of a group, the preferred one first: another may serve what that one does not. */
async function servedBy(
  transport: KubeTransport,
  { name: group, versions, preferredVersion }: Group,
): Promise<Resource[]> {
  const names = versions.map(({ version }) => version);
  const ordered = [...new Set([preferredVersion?.version ?? names[0]!, ...names])];
  const lists = await Promise.all(
    ordered.map(async (version) => {
      const list = await getJson<{ resources?: { name: string }[] }>(transport, `/apis/${group}/${version}`);
      return (list?.resources ?? []).map(({ name }) => ({ group, version, plural: name }));
    }),
  );
  return lists.flat();
}

async function mayList(transport: KubeTransport, { resource, namespace }: PolicyKind): Promise<boolean> {
  try {
    await requestJson(transport, { path: collectionPath(resource, namespace), query: { limit: 1 } });
    return true;
  } catch (error) {
    if (namespace === undefined && error instanceof KubeError && error.code === 403) return false;
    throw error;
  }
}

async function getJson<T>(transport: KubeTransport, path: string): Promise<T | undefined> {
  try {
    return await requestJson<T>(transport, { path });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
