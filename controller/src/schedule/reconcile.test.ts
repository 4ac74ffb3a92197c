import { type ScanResource, SCAN_SCHEDULES, SCANS, type ScheduleResource } from "@glovebox/k8s";
import { collectionPath, type KubeClient, objects, type EventNote } from "@glovebox/kube";
import { FakeKubeApiserver, refuse } from "@glovebox/kube/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scheduleReconciler } from "./reconcile.ts";
import { runName } from "./runs.ts";
import { at, scheduleResource } from "./testing/schedules.ts";

const DUE = "2027-01-02T02:30:00Z";
const NAME = runName(scheduleResource(), at(DUE));
const NAMESPACE = "glovebox-scans";

let server: FakeKubeApiserver;
let client: KubeClient;
let events: EventNote[];
let started: number;
const count = ({ outcome }: { outcome: string }, runs: number): void =>
  void (outcome === "started" && (started += runs));
beforeEach(async () => {
  server = await FakeKubeApiserver.start();
  client = server.client();
  events = [];
  started = 0;
  const { metadata, ...schedule } = scheduleResource();
  collection(SCAN_SCHEDULES).create({ ...schedule, metadata } as never);
});
afterEach(async () => {
  client.close();
  await server[Symbol.asyncDispose]();
});

const collection = (resource: typeof SCANS | typeof SCAN_SCHEDULES) =>
  server.collection(collectionPath(resource, NAMESPACE));
const live = (): ScheduleResource => {
  const { metadata, ...rest } = collection(SCAN_SCHEDULES).get("shop") as unknown as ScheduleResource;
  return { ...rest, metadata: { ...metadata, creationTimestamp: "2027-01-01T12:00:00Z" } };
};
const scans = (): ScanResource[] => [...collection(SCANS).objects.values()] as unknown as ScanResource[];

/** One reconciliation, by default with all that the server has. */
const reconcile = (
  view: {
    readonly schedule?: ScheduleResource | undefined;
    readonly scans?: ScanResource[] | undefined;
  } = {},
) =>
  scheduleReconciler({
    find: () => ("schedule" in view ? view.schedule : live()),
    scansOf: () => ("scans" in view ? view.scans : scans()),
    schedules: objects(client.transport, SCAN_SCHEDULES),
    scans: objects(client.transport, SCANS),
    events: { record: (event) => void events.push(event) },
    metrics: { scheduleRuns: { inc: count } as never },
    clock: { now: () => at(DUE) },
  })(`${NAMESPACE}/shop`);
const reasons = (): string[] => events.map(({ reason }) => reason);

test("a run that is due has its Scan, an event on the schedule, and the next look at the time of the next run", async () => {
  expect(await reconcile()).toEqual({ afterMs: 24 * 3600_000 + 50 });
  expect(scans().map(({ metadata }) => metadata.name)).toEqual([NAME]);
  expect(events).toMatchObject([
    { type: "Normal", reason: "ScanCreated", regarding: { kind: "ScanSchedule", name: "shop" } },
  ]);
  expect(started).toBe(1);
});

test("a view from before the last change starts nothing and is looked at again", async () => {
  const stale = live();
  collection(SCAN_SCHEDULES).merge("shop", { metadata: { labels: { team: "shop" } } } as never);
  expect(await reconcile({ schedule: stale })).toEqual({ afterMs: 500 });
  expect(scans()).toEqual([]);
  expect(events).toEqual([]);
});

test("a Scan that was created before a crash is taken for this run's, and not created twice", async () => {
  const { metadata } = live();
  server.fail({
    times: 1,
    matches: ({ method }) => method === "PATCH",
    act: (response) => refuse(response, 500, "InternalError"),
  });
  await expect(reconcile()).rejects.toThrow("500 InternalError");
  expect(await reconcile({ scans: [] })).toMatchObject({ afterMs: expect.any(Number) });
  expect(scans()).toHaveLength(1);
  expect(scans()[0]!.metadata.ownerReferences![0]!.uid).toBe(metadata.uid);
  expect(reasons()).toEqual(["ScanCreated"]);
});

test("a Scan of somebody else under the name of the run is left alone, and an event says so", async () => {
  collection(SCANS).create({ metadata: { name: NAME } as never });
  await expect(reconcile({ scans: [] })).rejects.toThrow("AlreadyExists");
  expect(events).toMatchObject([{ type: "Warning", reason: "CouldNotCreateScan" }]);
  expect(scans()).toHaveLength(1);
});

test("a Scan that the API server refuses is an event, and the run is tried again", async () => {
  server.fail({
    times: 1,
    matches: ({ method }) => method === "POST",
    act: (response) => refuse(response, 403, "Forbidden"),
  });
  await expect(reconcile()).rejects.toThrow("403 Forbidden");
  expect(reasons()).toEqual(["CouldNotCreateScan"]);
  await reconcile();
  expect(scans()).toHaveLength(1);
});

test("a field that the status does not have any more is removed", async () => {
  await reconcile();
  collection(SCAN_SCHEDULES).merge("shop", { spec: { suspend: true } });
  await reconcile();
  const patch = server.requests.findLast(({ method }) => method === "PATCH");
  expect(patch!.body).toMatchObject({ status: { nextScheduleTime: null, observedSchedule: null } });
});

test("nothing is decided while the Scans of the namespace are not known", async () => {
  expect(await reconcile({ scans: undefined })).toEqual({ afterMs: 500 });
  expect(server.requests).toEqual([]);
});

test("a deleted schedule needs nothing", async () => {
  expect(await reconcile({ schedule: undefined })).toBeUndefined();
});
