import { ANNOTATIONS, SCAN_SCHEDULES, type ScheduleResource } from "@glovebox/k8s";
import { collectionPath, type KubeClient, objects, type EventNote } from "@glovebox/kube";
import { FakeKubeApiserver } from "@glovebox/kube/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { NamespaceFacts } from "../kubernetes/namespace.ts";
import { Discovery, trimObject } from "./discovery.ts";

let server: FakeKubeApiserver;
let client: KubeClient;
let discovery: Discovery;
let events: EventNote[];
let failures: string[];

const facts: NamespaceFacts = {
  uid: "team",
  labels: { "glovebox.dev/discovery": "enabled" },
  account: "shop",
  accounts: new Set(["shop"]),
  targets: undefined,
  identities: new Set<string>(),
};
const collection = (path: string) => server.collection(path);
const schedules = (): ScheduleResource[] =>
  [...collection(collectionPath(SCAN_SCHEDULES, "team-a")).objects.values()] as unknown as ScheduleResource[];

beforeEach(async () => {
  server = await FakeKubeApiserver.start();
  client = server.client();
  [events, failures] = [[], []];
});
afterEach(async () => {
  await discovery.stop();
  client.close();
  await server[Symbol.asyncDispose]();
});

function start(): void {
  discovery = new Discovery({
    transport: client.transport,
    namespaces: ["team-a"],
    namespaceFacts: async () => facts,
    refusal: () => undefined,
    schedulesOf: (_, uid) =>
      schedules().filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid)),
    api: objects(client.transport, SCAN_SCHEDULES),
    events: { record: (event) => void events.push(event) },
    observer: {},
    onFailure: (resource) => void failures.push(resource),
    clock: { now: () => new Date("2027-01-01T12:00:00Z") },
  });
}

const annotations = { [ANNOTATIONS.scanSchedule]: "daily" };
const put = (path: string, name: string, object: object): void =>
  void collection(path).create({ metadata: { name, annotations }, ...object } as never);
const INGRESSES = "/apis/networking.k8s.io/v1/namespaces/team-a/ingresses";

test("an Ingress that is annotated gets a schedule and an event, and loses it with the annotation", async () => {
  start();
  put(INGRESSES, "shop", { spec: { rules: [{ host: "a.example" }], tls: [{}] } });
  await expect
    .poll(() => schedules().map(({ spec }) => spec.scanTemplate.spec.url))
    .toEqual(["https://a.example/"]);
  await expect
    .poll(() => events)
    .toMatchObject([
      {
        type: "Normal",
        reason: "ScheduleCreated",
        regarding: { kind: "Ingress", apiVersion: "networking.k8s.io/v1" },
      },
    ]);
  collection(INGRESSES).merge("shop", { metadata: { annotations: null } } as never);
  await expect.poll(schedules).toEqual([]);
});

test("a Service with a port for HTTPS gets a schedule for its name in the cluster", async () => {
  start();
  put("/api/v1/namespaces/team-a/services", "shop", { spec: { ports: [{ port: 443 }] } });
  await expect
    .poll(() => schedules().map(({ spec }) => spec.scanTemplate.spec.url))
    .toEqual(["https://shop.team-a.svc/"]);
});

test("HTTPRoutes are not asked for where the cluster has none", async () => {
  start();
  put(INGRESSES, "shop", { spec: { rules: [{ host: "a.example" }], tls: [{}] } });
  await expect.poll(schedules).toHaveLength(1);
  expect(server.requests.filter(({ path }) => path.includes("httproutes"))).toEqual([]);
});

test("HTTPRoutes are watched where the cluster has them", async () => {
  server.fail({
    times: 1,
    matches: ({ path }) => path === "/apis/gateway.networking.k8s.io/v1",
    act: (response) => void response.end(JSON.stringify({ resources: [{ name: "httproutes" }] })),
  });
  put("/apis/gateway.networking.k8s.io/v1/namespaces/team-a/httproutes", "shop", {
    spec: { hostnames: ["r.example"] },
  });
  start();
  await expect
    .poll(() => schedules().map(({ spec }) => spec.scanTemplate.spec.url))
    .toEqual(["https://r.example/"]);
});

test("of objects that ask for no scans only the name is kept", () => {
  const metadata = { name: "shop", namespace: "team-a", uid: "1", resourceVersion: "2" };
  const big = {
    metadata: { ...metadata, annotations: { note: "long" } },
    spec: { hostnames: ["a.example"] },
  };
  expect(trimObject(big)).toEqual({ metadata });
  const asking = { metadata: { ...metadata, annotations }, spec: {} };
  expect(trimObject(asking)).toBe(asking);
});
