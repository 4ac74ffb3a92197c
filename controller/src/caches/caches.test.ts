import { LABELS } from "@glovebox/k8s";
import { type KubeClient } from "@glovebox/kube";
import { FakeKubeApiserver } from "@glovebox/kube/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createCaches, type WatchedCaches } from "./caches.ts";

const NAMESPACE = "scans";
let server: FakeKubeApiserver;
let client: KubeClient;
let caches: WatchedCaches;
let told: string[];

beforeEach(async () => {
  server = await FakeKubeApiserver.start();
  client = server.client();
  told = [];
  caches = createCaches({
    transport: client.transport,
    namespace: NAMESPACE,
    events: {
      onScan: () => undefined,
      onPartOfScan: (id, kind) => void told.push(`${kind} of ${id}`),
      onOtherPolicy: () => void told.push("other policy"),
      onFailure: (resource, error) => void told.push(`${resource}: ${String(error)}`),
      onUnreadablePolicies: (resource) => void told.push(`unreadable ${resource}`),
    },
  });
});
afterEach(async () => {
  await caches.stop();
  client.close();
  await server[Symbol.asyncDispose]();
});

const collection = (group: string, plural: string) =>
  server.collection(`${group}/namespaces/${NAMESPACE}/${plural}`);
const ofScan = (name: string) => ({ metadata: { name, labels: { [LABELS.scan]: name } } });

/** Serves a path of the discovery. */
const serve = (path: string, body: object): void =>
  server.fail({
    times: Infinity,
    matches: (request) => request.path === path,
    act: (response) => void response.end(JSON.stringify(body)),
  });

/** What was told of by the time a change that is always told of has come through the same watch. */
async function toldUntil(change: () => void, last: string): Promise<string[]> {
  change();
  await expect.poll(() => told.includes(last)).toBe(true);
  return told.splice(0);
}

test("of what Kubernetes writes down of a pod and a Job, only what changes a decision is told of", async () => {
  const pods = collection("/api/v1", "pods");
  const jobs = collection("/apis/batch/v1", "jobs");
  pods.create(ofScan("a") as never);
  jobs.create(ofScan("a") as never);
  caches.start();
  await caches.whenSynced();
  expect(told.splice(0).toSorted()).toEqual(["job of a", "pod of a"]);

  const podIp = () => pods.merge("a", { status: { podIP: "10.0.0.7" } });
  const ready = () =>
    pods.merge("a", { status: { containerStatuses: [{ name: "scanner", state: { running: {} } }] } });
  expect(await toldUntil(() => (podIp(), ready()), "pod of a")).toEqual(["pod of a"]);

  const active = () => jobs.merge("a", { status: { active: 1, startTime: "2026-03-01T00:00:01Z" } });
  const ended = () => jobs.merge("a", { status: { conditions: [{ type: "Complete", status: "True" }] } });
  expect(await toldUntil(() => (active(), ended()), "job of a")).toEqual(["job of a"]);

  const succeeded = () => pods.merge("a", { status: { phase: "Succeeded" } });
  expect(await toldUntil(() => (succeeded(), void pods.delete("a")), "pod of a")).toEqual(["pod of a"]);
});

test("a label of the scans' namespace, by which policies of the cluster select, is told of", async () => {
  const group = "policy.networking.k8s.io";
  const served = { name: "adminnetworkpolicies" };
  serve("/apis", { groups: [{ name: group, versions: [{ version: "v1alpha1" }] }] });
  serve(`/apis/${group}/v1alpha1`, { resources: [served] });
  const namespaces = server.collection("/api/v1/namespaces");
  const metadata = { name: NAMESPACE, labels: { team: "a" } };
  namespaces.create({ apiVersion: "v1", kind: "Namespace", metadata } as never);
  caches.start();
  await expect.poll(() => caches.namespaceLabels()).toEqual({ team: "a" });
  told.splice(0);
  const relabel = () => namespaces.merge(NAMESPACE, { metadata: { labels: { open: "yes" } } } as never);
  expect(await toldUntil(relabel, "other policy")).toEqual(["other policy"]);
  expect(caches.namespaceLabels()).toMatchObject({ open: "yes" });
});
