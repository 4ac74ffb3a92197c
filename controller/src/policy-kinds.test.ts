import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { KubeError } from "./runtime/kube-error.ts";
import type { KubeTransport } from "./runtime/kube-transport.ts";
import { discoverPolicyKinds } from "./policy-kinds.ts";

/** Answers these paths, and 404 for all others. */
const serving =
  (answers: Record<string, object | KubeError>): KubeTransport =>
  async ({ path }) => {
    const answer = answers[path] ?? new KubeError(`GET ${path}`, { code: 404 });
    if (answer instanceof KubeError) throw answer;
    const body = Readable.from([JSON.stringify(answer)]);
    return Object.assign(body, { json: async () => answer }) as unknown as Awaited<ReturnType<KubeTransport>>;
  };

const calico = {
  "/apis/crd.projectcalico.org": { preferredVersion: { version: "v1" } },
  "/apis/crd.projectcalico.org/v1": {
    resources: [{ name: "networkpolicies" }, { name: "globalnetworkpolicies" }, { name: "ippools" }],
  },
};
const lists = {
  "/apis/crd.projectcalico.org/v1/namespaces/scans/networkpolicies": {},
  "/apis/crd.projectcalico.org/v1/globalnetworkpolicies": {},
};

test("a cluster without a network plugin's policies has none to watch", async () => {
  expect(await discoverPolicyKinds(serving({}), "scans")).toEqual([]);
});

test("a plugin's policies are found in the version that the cluster prefers, each where it lives", async () => {
  const group = { group: "crd.projectcalico.org", version: "v1" };
  expect(await discoverPolicyKinds(serving({ ...calico, ...lists }), "scans")).toEqual([
    { resource: { ...group, plural: "networkpolicies" }, namespace: "scans" },
    { resource: { ...group, plural: "globalnetworkpolicies" }, namespace: undefined },
  ]);
});

test("policies that may not be listed are an error: what cannot be seen cannot be ruled out", async () => {
  await expect(discoverPolicyKinds(serving(calico), "scans")).rejects.toMatchObject({ code: 404 });
});
