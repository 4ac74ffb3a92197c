import { SCANS, type ScanResource } from "@glovebox/k8s";
import { collectionPath, keyOf, type KubeClient } from "@glovebox/kube";
import { FakeKubeApiserver } from "@glovebox/kube/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ScanCaches } from "./scan-caches.ts";
import { BY_SCAN_ID } from "./scan/slots.ts";
import { SCAN_ID, scanResource } from "./scan/testing/worlds.ts";

let server: FakeKubeApiserver;
let client: KubeClient;
let caches: ScanCaches;
let failures: string[];

beforeEach(async () => {
  server = await FakeKubeApiserver.start();
  client = server.client();
  failures = [];
  caches = new ScanCaches({
    transport: client.transport,
    home: "home",
    others: ["team-a", "team-b", "home"],
    onChange: () => undefined,
    onFailure: (resource) => void failures.push(resource),
  });
});
afterEach(async () => {
  await caches.stop();
  client.close();
  await server[Symbol.asyncDispose]();
});

const put = (namespace: string, name: string): void => {
  const { metadata, ...rest } = scanResource();
  const scan = { ...rest, metadata: { ...metadata, namespace, name } };
  server.collection(collectionPath(SCANS, namespace)).create(scan as never);
};
const keys = (scans: readonly ScanResource[]): string[] => scans.map(keyOf).toSorted();

test("Scans of several namespaces are held as one, each once", async () => {
  for (const namespace of ["home", "team-a", "team-b"]) put(namespace, "shop");
  caches.start();
  await expect.poll(() => caches.size).toBe(3);
  expect(keys(caches.list())).toEqual(["home/shop", "team-a/shop", "team-b/shop"]);
  const [one] = caches.list();
  expect(caches.get(keyOf(one!))).toBe(one);
  expect(caches.get("elsewhere/shop")).toBeUndefined();
  expect(Object.keys(caches.silence())).toEqual(["scans", "scans/team-a", "scans/team-b"]);
});

test("what several namespaces have under one id is found together", async () => {
  for (const namespace of ["home", "team-a"]) put(namespace, SCAN_ID);
  caches.start();
  await expect.poll(() => caches.size).toBe(2);
  const ids = caches.list().map(({ metadata }) => metadata.uid);
  expect(new Set(ids).size).toBe(2);
  expect(() => caches.find("none", "x")).toThrow();
  expect(caches.find(BY_SCAN_ID, "scan-of-nobody")).toEqual([]);
});

test("a namespace that may not be read holds nobody up, and is told of", async () => {
  put("home", "shop");
  server.fail({
    times: 1000,
    matches: ({ path }) => path.includes("/team-a/"),
    act: (response) => response.writeHead(403, { "content-type": "application/json" }).end("{}"),
  });
  caches.start();
  await caches.whenSynced();
  expect(caches.hasSynced).toBe(true);
  expect(keys(caches.list())).toContain("home/shop");
  await expect.poll(() => failures).toContain("scans/team-a");
});
