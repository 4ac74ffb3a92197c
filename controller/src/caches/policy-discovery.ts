import {
  collectionPath,
  isNotFound,
  KubeError,
  type KubeTransport,
  NAMESPACES,
  requestJson,
  type Resource,
} from "@glovebox/kube";

/**
 * A kind of policy that could widen the egress of a scan; of one namespace, or of the whole cluster. Or the namespace of the scans,
 * by whose labels policies of the whole cluster select.
 */
export interface PolicyKind {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly fieldSelector?: string;
}

/** The kinds of policies that can widen egress: of network plugins and of the network policy API. */
const CANDIDATES: readonly { readonly group: string; readonly plural: string; readonly ofCluster?: true }[] =
  [
    { group: "cilium.io", plural: "ciliumnetworkpolicies" },
    { group: "cilium.io", plural: "ciliumclusterwidenetworkpolicies", ofCluster: true },
    { group: "crd.projectcalico.org", plural: "networkpolicies" },
    { group: "crd.projectcalico.org", plural: "globalnetworkpolicies", ofCluster: true },
    { group: "crd.antrea.io", plural: "networkpolicies" },
    { group: "crd.antrea.io", plural: "clusternetworkpolicies", ofCluster: true },
    { group: "policy.networking.k8s.io", plural: "adminnetworkpolicies", ofCluster: true },
    { group: "policy.networking.k8s.io", plural: "clusternetworkpolicies", ofCluster: true },
  ];

/** The group of the API server of Calico, used where its CRDs are not served; otherwise both show the same policies. */
const CALICO_API_SERVER = CANDIDATES.filter(({ group }) => group === "crd.projectcalico.org").map(
  (candidate) => ({ ...candidate, group: "projectcalico.org" }),
);

export interface DiscoveredKinds {
  readonly kinds: readonly PolicyKind[];
  /** Cluster-wide kinds for which the controller has no permission, by choice of the operator. */
  readonly unreadable: readonly string[];
  /** Kinds of these may exist and cannot be read now, so that a widening policy cannot be ruled out. */
  readonly unavailable: readonly UnavailableApi[];
}

export interface UnavailableApi {
  /** The API group, or `plural.group` where only that cannot be listed. */
  readonly api: string;
  readonly error: unknown;
}

/**
 * The kinds that this cluster has, each in the preferred version that serves it. Kinds for which `isHeld` is true are not tried
 * again. An API group is unavailable while its aggregated API has no backend; so is a kind that may not be listed in the namespace
 * of the scans.
 * @throws KubeError when the groups cannot be read
 */
export async function discoverPolicyKinds(
  transport: KubeTransport,
  namespace: string,
  isHeld: (kind: PolicyKind) => boolean = () => false,
): Promise<DiscoveredKinds> {
  const { groups = [] } = (await getJson<{ groups?: Group[] }>(transport, "/apis")) ?? {};
  const hasCalicoCrds = groups.some(({ name }) => name === "crd.projectcalico.org");
  const candidates = hasCalicoCrds ? CANDIDATES : [...CANDIDATES, ...CALICO_API_SERVER];
  const known = groups.filter(({ name }) => candidates.some(({ group }) => group === name));
  const responses = await Promise.all(
    known.map((group) => attempt(group.name, () => servedBy(transport, group))),
  );
  const served = responses.flatMap(({ result = [] }) => result);
  const kinds = candidates.flatMap(({ group, plural, ofCluster }): PolicyKind[] => {
    const resource = served.find((one) => one.group === group && one.plural === plural);
    return resource ? [{ resource, namespace: ofCluster ? undefined : namespace }] : [];
  });
  const hasLabels = kinds.some((kind) => kind.namespace === undefined);
  const all = hasLabels ? [...kinds, labelsOf(namespace)] : kinds;
  const seen = await Promise.all(
    all.map(async (kind) => ({
      kind,
      ...(await attempt(resourceNameOf(kind.resource), async () => isHeld(kind) || mayList(transport, kind))),
    })),
  );
  const kindsOf = (wanted: boolean) => seen.flatMap(({ kind, result }) => (result === wanted ? [kind] : []));
  return {
    kinds: kindsOf(true),
    unreadable: kindsOf(false).map(({ resource }) => resourceNameOf(resource)),
    unavailable: [...responses, ...seen].flatMap(({ unavailable = [] }) => unavailable),
  };
}

/** The result, or the API as unavailable. */
async function attempt<T>(
  api: string,
  read: () => Promise<T>,
): Promise<{ readonly result?: T; readonly unavailable?: UnavailableApi }> {
  try {
    return { result: await read() };
  } catch (error) {
    return { unavailable: { api, error } };
  }
}

const labelsOf = (namespace: string): PolicyKind => ({
  resource: NAMESPACES,
  namespace: undefined,
  fieldSelector: `metadata.name=${namespace}`,
});

/** The name of a resource in messages: `plural.group`. */
export const resourceNameOf = ({ plural, group }: Resource): string =>
  group === "" ? plural : `${plural}.${group}`;

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
  readonly preferredVersion?: { readonly version: string };
}

/** Resources of all versions of a group, the preferred version first; other versions may serve more. */
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

async function mayList(
  transport: KubeTransport,
  { resource, namespace, fieldSelector }: PolicyKind,
): Promise<boolean> {
  try {
    const path = collectionPath(resource, namespace);
    await requestJson(transport, { path, query: { limit: 1, fieldSelector } });
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
