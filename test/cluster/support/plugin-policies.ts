import { apply, kubectl } from "./kubectl.ts";

/** A kind of policy that a network plugin defines. */
export interface PluginPolicy {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly scope: "Namespaced" | "Cluster";
  /** The spec of a policy that allows all egress of the pods of a namespace. */
  spec(namespace: string): object;
}

const cilium = { group: "cilium.io", version: "v2" };
const calico = { group: "crd.projectcalico.org", version: "v1" };
const admin = { group: "policy.networking.k8s.io", version: "v1alpha1", scope: "Cluster" } as const;

const antrea = { group: "crd.antrea.io", version: "v1beta1" };

const toWorld = [{ toEntities: ["world"] }];
const allow = [{ name: "all", action: "Allow", to: [{ networks: ["0.0.0.0/0"] }] }];
const subjectIn = (namespace: string) => ({
  namespaces: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
});

const CILIUM: PluginPolicy = {
  ...cilium,
  kind: "CiliumNetworkPolicy",
  plural: "ciliumnetworkpolicies",
  scope: "Namespaced",
  spec: () => ({ endpointSelector: {}, egress: toWorld }),
};
/** A baseline policy has no effect on pods that a NetworkPolicy selects. */
export const BASELINE: PluginPolicy = {
  ...admin,
  kind: "BaselineAdminNetworkPolicy",
  plural: "baselineadminnetworkpolicies",
  spec: (namespace) => ({ subject: subjectIn(namespace), egress: allow }),
};

/** The kinds that can allow egress beyond the scan's own policy. */
export const WIDENING: readonly PluginPolicy[] = [
  CILIUM,
  {
    ...cilium,
    kind: "CiliumClusterwideNetworkPolicy",
    plural: "ciliumclusterwidenetworkpolicies",
    scope: "Cluster",
    spec: (namespace) => ({
      endpointSelector: { matchLabels: { "k8s:io.kubernetes.pod.namespace": namespace } },
      egress: toWorld,
    }),
  },
  {
    ...calico,
    kind: "NetworkPolicy",
    plural: "networkpolicies",
    scope: "Namespaced",
    spec: () => ({ selector: "all()", types: ["Egress"], egress: [{ action: "Allow" }] }),
  },
  {
    ...calico,
    kind: "GlobalNetworkPolicy",
    plural: "globalnetworkpolicies",
    scope: "Cluster",
    spec: (namespace) => ({
      selector: `projectcalico.org/namespace == '${namespace}'`,
      types: ["Egress"],
      egress: [{ action: "Allow" }],
    }),
  },
  {
    ...antrea,
    kind: "NetworkPolicy",
    plural: "networkpolicies",
    scope: "Namespaced",
    spec: () => ({ priority: 5, appliedTo: [{ podSelector: {} }], egress: allow }),
  },
  {
    ...antrea,
    kind: "ClusterNetworkPolicy",
    plural: "clusternetworkpolicies",
    scope: "Cluster",
    spec: (namespace) => ({
      priority: 5,
      appliedTo: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } }],
      egress: allow,
    }),
  },
  {
    ...admin,
    kind: "AdminNetworkPolicy",
    plural: "adminnetworkpolicies",
    spec: (namespace) => ({ priority: 10, subject: subjectIn(namespace), egress: allow }),
  },
  {
    ...admin,
    version: "v1alpha2",
    kind: "ClusterNetworkPolicy",
    plural: "clusternetworkpolicies",
    spec: (namespace) => ({
      tier: "Admin",
      priority: 10,
      subject: subjectIn(namespace),
      egress: [{ name: "all", action: "Accept", to: [{ networks: ["0.0.0.0/0"] }] }],
    }),
  },
];

export const resourceOf = ({ plural, group }: PluginPolicy): string => `${plural}.${group}`;

/** Installs the resource definitions that the cluster does not have, without schemas: the controller only reads policies. */
export async function installKinds(kinds: readonly PluginPolicy[]): Promise<InstalledKinds> {
  const present = (await kubectl(["get", "crds", "-o", "name"])).split("\n");
  const names = kinds.map(resourceOf);
  const missing = kinds.filter(
    (kind) => !present.includes(`customresourcedefinition.apiextensions.k8s.io/${resourceOf(kind)}`),
  );
  await apply(...missing.map(definitionOf));
  const crds = names.map((name) => `crd/${name}`);
  await kubectl(["wait", ...crds, "--for=condition=Established", "--timeout=60s"]);
  const installed = missing.map(resourceOf);
  return {
    installed,
    async uninstall() {
      for (const name of installed) await kubectl(["delete", "crd", name, "--ignore-not-found"]);
    },
  };
}

export interface InstalledKinds {
  /** Names of the resource definitions. */
  readonly installed: readonly string[];
  uninstall(): Promise<void>;
}

const definitionOf = (policy: PluginPolicy): object => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: resourceOf(policy),
    // Required for groups below k8s.io.
    annotations: { "api-approved.kubernetes.io": "unapproved, a stand-in for tests" },
  },
  spec: {
    group: policy.group,
    scope: policy.scope,
    names: {
      kind: policy.kind,
      listKind: `${policy.kind}List`,
      plural: policy.plural,
      singular: policy.kind.toLowerCase(),
    },
    versions: [
      {
        name: policy.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});

/** Applies a policy that allows all egress of the namespace's pods. Returns a function that deletes it. */
export async function applyOpening(policy: PluginPolicy, namespace: string): Promise<() => Promise<unknown>> {
  const where = policy.scope === "Namespaced" ? { namespace } : {};
  const name = `opening-${namespace}`;
  await apply({
    apiVersion: `${policy.group}/${policy.version}`,
    kind: policy.kind,
    metadata: { name, ...where },
    spec: policy.spec(namespace),
  });
  const flags = policy.scope === "Namespaced" ? ["-n", namespace] : [];
  return () => kubectl(["delete", resourceOf(policy), name, ...flags]);
}
