import { API_VERSION, SCHEDULE_KIND, type ScanResource, SCANS, type ScanStatus } from "@glovebox/k8s";
import { collectionPath, keyOf, type KubeClient } from "@glovebox/kube";
import { FakeKubeApiserver } from "@glovebox/kube/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScanCache, trimScan, BY_SCAN_ID } from "./scan-cache.ts";
import { decide } from "../scan/decide.ts";
import { at, completeJob, SCAN_ID, scanResource, world } from "../scan/testing/worlds.ts";

let server: FakeKubeApiserver;
let client: KubeClient;
let caches: ReturnType<typeof createScanCache>;
let failures: string[];

beforeEach(async () => {
  server = await FakeKubeApiserver.start();
  client = server.client();
  failures = [];
  caches = createScanCache({
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
  expect(Object.keys(caches.lastEventAgesMs())).toEqual(["scans", "scans/team-a", "scans/team-b"]);
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

const status: ScanStatus = {
  phase: "Completed",
  scanId: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
  attempt: 1,
  startedAt: at(1).toISOString(),
  score: 88,
  conditions: [
    {
      type: "Accepted",
      status: "True",
      reason: "Charged",
      message: "",
      lastTransitionTime: at(1).toISOString(),
    },
  ],
};
const ended = { ...status, finishedAt: at(9).toISOString() };

test("a Scan that has not ended is held as it is", () => {
  const scan = scanResource(status);
  expect(trimScan(scan)).toBe(scan);
});

test("of a Scan that has ended no more status is held than when it began and ended", () => {
  const { phase, startedAt, finishedAt } = ended;
  expect(trimScan(scanResource(ended)).status).toEqual({ phase, startedAt, finishedAt });
});

test("of a schedule is held with its result", () => {
  const controller = { apiVersion: API_VERSION, kind: SCHEDULE_KIND, name: "s", uid: "u", controller: true };
  const { metadata, ...rest } = scanResource({ ...ended, reason: "ReportReceived", grade: "B" });
  const scan = { ...rest, metadata: { ...metadata, ownerReferences: [controller] } };
  expect(trimScan(scan).status).toMatchObject({ reason: "ReportReceived", grade: "B" });
});

test.each([
  ["with an attempt left", { attempts: [completeJob()] }],
  ["whose time has come", { now: at(1_000_000) }],
  ["that waits for its time", {}],
  ["that is deleted", { isDeleted: true }],
])("a Scan that has ended, %s, gets the same decision", (_, changes) => {
  const whole = scanResource(ended);
  expect(decide(world({ ...changes, scan: trimScan(whole) }))).toEqual(
    decide(world({ ...changes, scan: whole })),
  );
});
