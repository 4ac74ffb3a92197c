import { Readable } from "node:stream";
import { KubeError, type KubeTransport } from "@glovebox/kube";
import { expect, test } from "vitest";
import { discoverPolicyKinds } from "./policy-discovery.ts";

/** Serves these paths, and 404 for all others. */
const serving =
  (responses: Record<string, object | KubeError>): KubeTransport =>
  async ({ path }) => {
    const response = responses[path] ?? new KubeError(`GET ${path}`, { code: 404 });
    if (response instanceof KubeError) throw response;
    return Readable.from([Buffer.from(JSON.stringify(response))]);
  };

const groupsOf = (...groups: { name: string; versions: string[] }[]) => ({
  "/apis": {
    groups: groups.map(({ name, versions: [preferred, ...others] }) => ({
      name,
      versions: [...others, preferred].map((version) => ({ version })),
      preferredVersion: { version: preferred },
    })),
  },
});
const calico = {
  ...groupsOf({ name: "crd.projectcalico.org", versions: ["v1"] }, { name: "apps", versions: ["v1"] }),
  "/apis/crd.projectcalico.org/v1": {
    resources: [{ name: "networkpolicies" }, { name: "globalnetworkpolicies" }, { name: "ippools" }],
  },
};
const lists = {
  "/apis/crd.projectcalico.org/v1/namespaces/scans/networkpolicies": {},
  "/apis/crd.projectcalico.org/v1/globalnetworkpolicies": {},
  "/api/v1/namespaces": {},
};

const scanNamespace = {
  resource: { group: "", version: "v1", plural: "namespaces" },
  namespace: undefined,
  fieldSelector: "metadata.name=scans",
};
const forbidden = new KubeError("list", { code: 403, reason: "Forbidden" });
const group = { group: "crd.projectcalico.org", version: "v1" };
const inNamespace = { resource: { ...group, plural: "networkpolicies" }, namespace: "scans" };
const inCluster = { resource: { ...group, plural: "globalnetworkpolicies" }, namespace: undefined };

test("Antrea's own policies are found, in its namespace and in the cluster", async () => {
  const responses = {
    ...groupsOf({ name: "crd.antrea.io", versions: ["v1beta1"] }),
    "/apis/crd.antrea.io/v1beta1": {
      resources: [{ name: "networkpolicies" }, { name: "clusternetworkpolicies" }, { name: "tiers" }],
    },
    "/apis/crd.antrea.io/v1beta1/namespaces/scans/networkpolicies": {},
    "/apis/crd.antrea.io/v1beta1/clusternetworkpolicies": {},
    "/api/v1/namespaces": {},
  };
  const { kinds } = await discoverPolicyKinds(serving(responses), "scans");
  expect(kinds.map(({ resource, namespace }) => [resource.plural, namespace])).toEqual([
    ["networkpolicies", "scans"],
    ["clusternetworkpolicies", undefined],
    ["namespaces", undefined],
  ]);
});

test("a cluster without a network plugin's policies has none to watch", async () => {
  expect(await discoverPolicyKinds(serving({}), "scans")).toEqual({
    kinds: [],
    unreadable: [],
    unavailable: [],
  });
});

test("a plugin's policies are found in the version that the cluster prefers, each where it lives", async () => {
  expect(await discoverPolicyKinds(serving({ ...calico, ...lists }), "scans")).toEqual({
    kinds: [inNamespace, inCluster, scanNamespace],
    unreadable: [],
    unavailable: [],
  });
});

test("policies of the cluster that may not be listed are named and left out", async () => {
  const [ofNamespace, ofCluster] = Object.keys(lists) as [string, string];
  const responses = { ...calico, ...lists, [ofNamespace]: {}, [ofCluster]: forbidden };
  expect(await discoverPolicyKinds(serving(responses), "scans")).toEqual({
    kinds: [inNamespace, scanNamespace],
    unreadable: ["globalnetworkpolicies.crd.projectcalico.org"],
    unavailable: [],
  });
});

test("policies of the scans' namespace that may not be listed are unavailable, and the others are found", async () => {
  const responses = { ...calico, ...lists, [Object.keys(lists)[0]!]: forbidden };
  expect(await discoverPolicyKinds(serving(responses), "scans")).toEqual({
    kinds: [inCluster, scanNamespace],
    unreadable: [],
    unavailable: [{ api: "networkpolicies.crd.projectcalico.org", error: forbidden }],
  });
});

test("an API group whose backend is away is unavailable, and the policies of the others are found", async () => {
  const away = new KubeError("GET /apis/cilium.io/v2", { code: 503 });
  const cilium = groupsOf({ name: "cilium.io", versions: ["v2"] });
  const responses = {
    ...calico,
    ...lists,
    "/apis": { groups: [...cilium["/apis"].groups, ...calico["/apis"].groups] },
    "/apis/cilium.io/v2": away,
  };
  expect(await discoverPolicyKinds(serving(responses), "scans")).toEqual({
    kinds: [inNamespace, inCluster, scanNamespace],
    unreadable: [],
    unavailable: [{ api: "cilium.io", error: away }],
  });
});

test("policies that are held are not tried again", async () => {
  const found = await discoverPolicyKinds(serving(calico), "scans", () => true);
  expect(found).toEqual({ kinds: [inNamespace, inCluster, scanNamespace], unreadable: [], unavailable: [] });
});

test("a kind that the preferred version does not serve is found in the one that does", async () => {
  const group = "policy.networking.k8s.io";
  const responses = {
    ...groupsOf({ name: group, versions: ["v1alpha2", "v1alpha1"] }),
    [`/apis/${group}/v1alpha2`]: { resources: [{ name: "clusternetworkpolicies" }] },
    [`/apis/${group}/v1alpha1`]: { resources: [{ name: "adminnetworkpolicies" }] },
    [`/apis/${group}/v1alpha2/clusternetworkpolicies`]: {},
    "/api/v1/namespaces": {},
    [`/apis/${group}/v1alpha1/adminnetworkpolicies`]: {},
  };
  const { kinds } = await discoverPolicyKinds(serving(responses), "scans");
  expect(kinds.map(({ resource: { version, plural } }) => [version, plural])).toEqual([
    ["v1alpha1", "adminnetworkpolicies"],
    ["v1alpha2", "clusternetworkpolicies"],
    ["v1", "namespaces"],
  ]);
});

test.each([
  [["projectcalico.org"], ["projectcalico.org"]],
  [["crd.projectcalico.org", "projectcalico.org"], ["crd.projectcalico.org"]],
])("of the groups %j Calico's policies are read from %j", async (names, expected) => {
  const responses = Object.fromEntries(
    names.flatMap((name) => [
      [`/apis/${name}/v3`, { resources: [{ name: "networkpolicies" }] }],
      [`/apis/${name}/v3/namespaces/scans/networkpolicies`, {}],
    ]),
  );
  const groups = groupsOf(...names.map((name) => ({ name, versions: ["v3"] })));
  const { kinds } = await discoverPolicyKinds(serving({ ...groups, ...responses }), "scans");
  expect(kinds.map(({ resource }) => resource.group)).toEqual(expected);
});

test("the labels of the scans' namespace are read where policies of the cluster select by them, and left out where they may not be", async () => {
  const ofNamespace = { "/apis/crd.projectcalico.org/v1": { resources: [{ name: "networkpolicies" }] } };
  const without = await discoverPolicyKinds(serving({ ...calico, ...lists, ...ofNamespace }), "scans");
  expect(without.kinds).toEqual([inNamespace]);
  const responses = { ...calico, ...lists, "/api/v1/namespaces": forbidden };
  expect(await discoverPolicyKinds(serving(responses), "scans")).toEqual({
    kinds: [inNamespace, inCluster],
    unreadable: ["namespaces"],
    unavailable: [],
  });
});
