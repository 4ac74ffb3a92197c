import { ANNOTATIONS, type ScanResource } from "@glovebox/k8s";
import { KubeError, type ObjectName, createObjectStore } from "@glovebox/kube";
import { expect, test } from "vitest";
import { Orphans } from "./orphans.ts";
import type { Job, NetworkPolicy } from "../kubernetes/api-client.ts";
import { scanResource } from "./testing/worlds.ts";

const HOME = "glovebox-scans";
const scanOf = (namespace: string, name: string, uid: string): ScanResource => {
  const { metadata, ...rest } = scanResource();
  return { ...rest, metadata: { ...metadata, namespace, name, uid } };
};
/** A Job or policy of a Scan of another namespace. */
const partOf = (name: string, scan: string) => ({
  metadata: {
    namespace: HOME,
    name,
    uid: `uid-of-${name}`,
    annotations: { [ANNOTATIONS.scanResource]: scan },
  },
});

/** What is deleted, and what the API server is asked, where it has these Scans. */
function stage(live: readonly ScanResource[]) {
  const caches = {
    scans: createObjectStore<ScanResource>(),
    jobs: createObjectStore<Job>(),
    networkPolicies: createObjectStore<NetworkPolicy>(),
  };
  const [deleted, asked, failed]: [string[], string[], unknown[]] = [[], [], []];
  const remover = (kind: string, cache: Pick<typeof caches.jobs, "delete">) => ({
    async delete({ namespace, name, uid }: ObjectName & { uid?: string | undefined }) {
      deleted.push(`${kind} ${name} ${uid}`);
      cache.delete(`${namespace}/${name}`);
    },
  });
  const state = { response: undefined as KubeError | undefined };
  const orphans = new Orphans({
    caches,
    api: {
      jobs: remover("job", caches.jobs),
      networkPolicies: remover("policy", caches.networkPolicies),
    } as never,
    scans: {
      async get({ namespace, name }) {
        asked.push(`${namespace}/${name}`);
        if (state.response) throw state.response;
        return live.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
      },
    },
    scanNamespaces: ["team-a"],
    observer: { failed: (_, { error }) => void failed.push(error) },
  });
  const settled = () => new Promise(setImmediate);
  return { caches, orphans, deleted, asked, failed, state, settled };
}

test("a Job and a policy whose Scan of another namespace was deleted are deleted, when a lead begins and when they are seen", async () => {
  const { caches, orphans, deleted, settled } = stage([]);
  caches.jobs.put(partOf("a-1", "team-a/shop/1"));
  caches.networkPolicies.put(partOf("a-1", "team-a/shop/1"));
  orphans.checkAll();
  await settled();
  expect(deleted).toEqual(["job a-1 uid-of-a-1", "policy a-1 uid-of-a-1"]);
  const late = partOf("b-1", "team-a/late/2");
  caches.jobs.put(late);
  orphans.check(late);
  await settled();
  expect(deleted.slice(2)).toEqual(["job b-1 uid-of-b-1"]);
});

test("one whose Scan is there is left alone: the cache knows it, or else the API server", async () => {
  const { caches, orphans, deleted, asked, settled } = stage([scanOf("team-a", "unseen", "2")]);
  caches.scans.put(scanOf("team-a", "shop", "1"));
  for (const [name, scan] of [
    ["a-1", "team-a/shop/1"],
    ["b-1", "team-a/unseen/2"],
  ] as const)
    caches.jobs.put(partOf(name, scan));
  orphans.checkAll();
  await settled();
  expect([deleted, asked]).toEqual([[], ["team-a/unseen"]]);
});

test("one whose Scan was created again under its name is deleted", async () => {
  const { caches, orphans, deleted, settled } = stage([scanOf("team-a", "shop", "young")]);
  caches.scans.put(scanOf("team-a", "shop", "young"));
  caches.jobs.put(partOf("a-1", "team-a/shop/old"));
  orphans.checkAll();
  await settled();
  expect(deleted).toEqual(["job a-1 uid-of-a-1"]);
});

test("one of a namespace that is not looked after any more is deleted unasked", async () => {
  const { caches, orphans, deleted, asked, settled } = stage([scanOf("team-z", "shop", "1")]);
  caches.jobs.put(partOf("a-1", "team-z/shop/1"));
  orphans.checkAll();
  await settled();
  expect([deleted, asked]).toEqual([["job a-1 uid-of-a-1"], []]);
});

test("one is left alone while the API server does not say that its Scan was deleted", async () => {
  const { caches, orphans, deleted, failed, state, settled } = stage([]);
  state.response = new KubeError("get scans", { code: 403, reason: "Forbidden" });
  caches.jobs.put(partOf("a-1", "team-a/shop/1"));
  orphans.checkAll();
  await settled();
  expect([deleted, failed]).toEqual([[], [state.response]]);
  await orphans.stop();
});

test.each<[string, object]>([
  ["owned by a Scan of its namespace", { ownerReferences: [{ uid: "1" }] }],
  ["of nobody", {}],
  ["that names its Scan badly", { annotations: { [ANNOTATIONS.scanResource]: "team-a" } }],
])("a Job %s is nothing to it", async (_, metadata) => {
  const { caches, orphans, deleted, asked, settled } = stage([]);
  caches.jobs.put({ metadata: { namespace: HOME, name: "own-1", ...metadata } });
  orphans.checkAll();
  await settled();
  expect([deleted, asked]).toEqual([[], []]);
});
