import { scanIdOf, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reconciling } from "./testing/reconciling.ts";
import { scanResource, settings } from "./testing/worlds.ts";

const NAME = "shop";
let stage: Awaited<ReturnType<typeof reconciling>>;
let scan: ScanResource;
beforeEach(async () => {
  stage = await reconciling();
  const { metadata, ...rest } = scanResource();
  const body = {
    ...rest,
    metadata: { ...metadata, name: NAME },
    spec: { url: "https://a.example", account: "shop" },
  };
  scan = stage.scans.create(body as never) as unknown as ScanResource;
});
afterEach(() => stage[Symbol.asyncDispose]());
const status = (): ScanStatus => stage.scans.get(NAME)["status"] ?? {};

test("a node is lost after the time that it was seen to be silent here, regardless of the dates that others write", async () => {
  for (let looks = 0; looks < 3; looks++) await stage.look(NAME);
  const [job] = stage.jobs.objects.values();
  const silent = { status: "False", lastTransitionTime: "2020-01-01T00:00:00Z" };
  const pod = {
    metadata: {
      name: "pod",
      uid: "pod",
      labels: { ...job!.metadata.labels },
      ownerReferences: [{ kind: "Job", controller: true, uid: job!.metadata.uid }],
    },
    status: {
      conditions: [
        { type: "Ready", ...silent },
        { type: "ContainersReady", status: "True" },
      ],
      containerStatuses: [{ name: "scanner", state: { running: {} } }],
    },
  };
  stage.caches.pods.put(pod as never);
  const after = async (seconds: number) => {
    stage.state.passed = seconds * 1000;
    return (await stage.look(NAME)).at(-1);
  };
  expect(await after(0)).toBe("jobRunning");
  expect(await after(settings.nodeLostSeconds)).toBe("jobRunning");
  expect(await after(settings.nodeLostSeconds + 1)).toBe("nodeLost");
});

test("a Job without a pod is explained in the words of its newest event, which are asked for once a minute", async () => {
  await stage.look(NAME);
  await stage.look(NAME);
  const events = stage.server.collection("/apis/events.k8s.io/v1/namespaces/glovebox-scans/events");
  const note = 'Error creating: pods "x" is forbidden:\n exceeded quota: no-pods';
  const regarding = { kind: "Job", name: `${scanIdOf(scan)}-1` };
  events.create({
    metadata: { name: "old" },
    regarding,
    note: "an older one",
    eventTime: "2026-02-01T00:00:00Z",
  } as never);
  events.create({
    metadata: { name: "new" },
    regarding,
    note,
    deprecatedLastTimestamp: "2026-03-02T00:00:00Z",
  } as never);
  stage.state.passed = 30_000;
  expect(await stage.look(NAME)).toEqual(["waitUnexplained", "jobRunning"]);
  expect(await stage.look(NAME)).toEqual(["jobRunning"]);
  expect(status().conditions).toContainEqual(
    expect.objectContaining({
      type: "ReportRecorded",
      status: "Unknown",
      reason: "NoPodCreated",
      message: 'Its Job has no pod yet: Error creating: pods "x" is forbidden: exceeded quota: no-pods',
    }),
  );
  const [asked] = stage.server.requests.filter(({ path }) => path.endsWith("/events"));
  expect(asked!.query.get("fieldSelector")).toBe(
    `regarding.kind=Job,regarding.name=${regarding.name},type=Warning`,
  );
});
