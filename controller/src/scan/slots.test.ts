import { LABELS, scanIdOf, type ScanResource } from "@glovebox/k8s";
import type { V1Job } from "@kubernetes/client-node";
import { expect, test } from "vitest";
import { createObjectStore } from "../runtime/object-store.ts";
import type { Wire } from "../runtime/resource.ts";
import { scanResource, START } from "./testing/worlds.ts";
import { BY_SCAN_ID, Slots } from "./slots.ts";

function stage(total: number) {
  const scans = createObjectStore<ScanResource>({ [BY_SCAN_ID]: (scan) => [scanIdOf(scan)] });
  const jobs = createObjectStore<Wire<V1Job>>();
  const slots = new Slots({ scans, jobs, caps: { total, perAccount: 10, perHost: 10 } });
  const addScan = (name: string, seconds: number): ScanResource => {
    const creationTimestamp = new Date(START.getTime() + seconds * 1000).toISOString();
    const { metadata, ...rest } = scanResource();
    const scan = { ...rest, metadata: { ...metadata, name, uid: `uid-${name}`, creationTimestamp } };
    scans.put(scan);
    return scan;
  };
  const addJob = (scan: ScanResource, conditions: object[] = []): void =>
    jobs.put({
      metadata: { namespace: "scans", name: scan.metadata.name, labels: { [LABELS.scan]: scanIdOf(scan) } },
      status: { conditions },
    } as unknown as Wire<V1Job>);
  return { scans, jobs, slots, addScan, addJob };
}

test("the first that came has the slot, and keeps it until its Job is seen", () => {
  const { slots, addScan } = stage(1);
  const [later, first] = [addScan("later", 2), addScan("first", 1)];
  expect(slots.slotOf(later)).toBe("waiting");
  expect(slots.slotOf(first)).toBe("granted");
  expect(slots.slotOf(first)).toBe("granted");
  expect(slots.turns()).toEqual([]);
  expect(slots.waiting().map(({ id }) => id)).toEqual([scanIdOf(later)]);
});

test("a scan whose Job has ended keeps its place, for it may need another attempt", () => {
  const { slots, addScan, addJob } = stage(1);
  const [first, next] = [addScan("first", 1), addScan("next", 2)];
  addJob(first);
  expect(slots.turns()).toEqual([]);
  addJob(first, [{ type: "Complete", status: "True" }]);
  expect(slots.turns()).toEqual([first]);
  expect(slots.slotOf(next)).toBe("waiting");
});

test("a scan that has ended gives back a slot that it never used", () => {
  const { slots, scans, addScan } = stage(1);
  const [first, next] = [addScan("first", 1), addScan("next", 2)];
  slots.slotOf(first);
  scans.put({ ...first, status: { finishedAt: START.toISOString() } });
  expect(slots.turns()).toEqual([next]);
  expect(slots.slotOf(next)).toBe("granted");
});

test("a Job whose Scan is gone still takes a slot", () => {
  const { slots, scans, addScan, addJob } = stage(1);
  const [gone, next] = [addScan("gone", 1), addScan("next", 2)];
  addJob(gone);
  scans.delete("glovebox-scans/gone");
  expect(slots.slotOf(next)).toBe("waiting");
});
