import { API_NAME, LABELS, scanIdOf, type ScanResource } from "@glovebox/k8s";
import { keyOf, byLabel, createObjectStore } from "@glovebox/kube";
import { expect, test } from "vitest";
import type { Job } from "../kubernetes/api-client.ts";
import { BY_SCAN_ID } from "../caches/scan-cache.ts";
import { Slots } from "./slots.ts";
import { scanResource, START } from "./testing/worlds.ts";

/** Accounts of namespaces. */
const DEFAULT_ACCOUNTS: Record<string, string> = { "team-a": "a", "team-b": "b", "also-a": "a" };

function stage(total: number) {
  const scans = createObjectStore<ScanResource>({ [BY_SCAN_ID]: (scan) => [scanIdOf(scan)] });
  const jobs = createObjectStore<Job>({ [LABELS.scan]: byLabel(LABELS.scan) });
  const limits = { total, perAccount: 10, perHost: 10 };
  const defaultAccount = (namespace: string) => DEFAULT_ACCOUNTS[namespace];
  const slots = new Slots({ scans, jobs, limits, defaultAccount });
  const addScan = (name: string, seconds: number, account?: string): ScanResource => {
    const creationTimestamp = new Date(START.getTime() + seconds * 1000).toISOString();
    const { metadata, spec, ...rest } = scanResource();
    const scan = {
      ...rest,
      spec: { ...spec, ...(account && { account }) },
      metadata: { ...metadata, name, uid: `uid-${name}`, creationTimestamp },
    };
    putScan(scan);
    return scan;
  };
  const putScan = (scan: ScanResource): void => {
    scans.put(scan);
    slots.refresh(scanIdOf(scan));
  };
  const addJob = (scan: ScanResource, conditions: object[] = []): void => {
    jobs.put({
      metadata: {
        namespace: "scans",
        name: scan.metadata.name,
        labels: { [LABELS.scan]: scanIdOf(scan) },
        ownerReferences: [{ uid: scan.metadata.uid }],
      },
      status: { conditions },
    } as unknown as Job);
    slots.refresh(scanIdOf(scan));
  };
  const removeScan = (scan: ScanResource): void => {
    scans.delete(keyOf(scan));
    slots.refresh(scanIdOf(scan));
  };
  const successor = (): Slots => {
    const next = new Slots({ scans, jobs, limits, defaultAccount });
    next.refreshAll();
    return next;
  };
  return { slots, addScan, putScan, removeScan, addJob, successor };
}

test("the first that came has the slot, and keeps it until its Job is seen", () => {
  const { slots, addScan } = stage(1);
  const [later, first] = [addScan("later", 2), addScan("first", 1)];
  expect(slots.slotOf(later)).toBe("waiting");
  expect(slots.slotOf(first)).toBe("granted");
  expect(slots.slotOf(first)).toBe("granted");
  expect(slots.newlyEligible()).toEqual([]);
  expect(slots.queued().map(({ id }) => id)).toEqual([`${scanIdOf(later)}/uid-later`]);
});

test("a scan whose Job has ended keeps its slot, for it may need another attempt", () => {
  const { slots, addScan, addJob } = stage(1);
  const [first, next] = [addScan("first", 1), addScan("next", 2)];
  addJob(first);
  expect(slots.newlyEligible()).toEqual([]);
  addJob(first, [{ type: "Complete", status: "True" }]);
  expect(slots.newlyEligible()).toEqual([first]);
  expect(slots.slotOf(next)).toBe("waiting");
});

test("a promised slot is given to another when the scan that it was promised to goes", () => {
  const { slots, addScan, removeScan } = stage(1);
  const [first, second, third] = [addScan("first", 1), addScan("second", 2), addScan("third", 3)];
  expect(slots.newlyEligible()).toEqual([first]);
  removeScan(second);
  expect(slots.newlyEligible()).toEqual([]);
  removeScan(first);
  expect(slots.newlyEligible()).toEqual([third]);
  const fourth = addScan("fourth", 4);
  expect(slots.slotOf(fourth)).toBe("waiting");
  removeScan(third);
  expect(slots.newlyEligible()).toEqual([fourth]);
});

test("a Scan that says that it has another's id changes neither its position nor its slot, however it comes and goes", () => {
  const { slots, addScan, putScan, removeScan, addJob } = stage(1);
  const labels = { [LABELS.managedBy]: API_NAME };
  const named = (uid: string, seconds: number): ScanResource => {
    const { metadata, ...rest } = scanResource();
    const creationTimestamp = new Date(START.getTime() + seconds * 1000).toISOString();
    return { ...rest, metadata: { ...metadata, namespace: uid, uid, labels, creationTimestamp } };
  };
  const [first, victim, forged] = [addScan("first", 1), named("victim", 2), named("forged", 3)];
  const ended = { ...forged, status: { finishedAt: START.toISOString() } };
  putScan(victim);
  for (const sight of [() => putScan(forged), () => putScan(ended), () => removeScan(forged)]) {
    sight();
    expect(slots.queued().map(({ id }) => id)).toContain(`${victim.metadata.name}/victim`);
  }
  expect(slots.newlyEligible()).toEqual([first]);
  removeScan(first);
  expect(slots.newlyEligible()).toEqual([victim]);
  expect(slots.slotOf(victim)).toBe("granted");
  addJob(victim);
  putScan(ended);
  removeScan(forged);
  const next = addScan("next", 4);
  expect(slots.slotOf(next)).toBe("waiting");
  expect(slots.slotOf(victim)).toBe("granted");
});

test("a scan that has ended gives back a slot that it never used", () => {
  const { slots, putScan, addScan } = stage(1);
  const [first, next] = [addScan("first", 1), addScan("next", 2)];
  slots.slotOf(first);
  putScan({ ...first, status: { finishedAt: START.toISOString() } });
  expect(slots.newlyEligible()).toEqual([next]);
  expect(slots.slotOf(next)).toBe("granted");
});

test("a scan without its record leaves its turn to others, and waits in line again once it is back", () => {
  const { slots, addScan, putScan } = stage(1);
  const [lost, next] = [addScan("lost", 1), addScan("next", 2)];
  expect(slots.slotOf(lost)).toBe("granted");
  putScan({ ...lost, status: { reason: "RecordMissing" } });
  expect(slots.newlyEligible()).toEqual([next]);
  expect(slots.slotOf(lost)).toBe("waiting");
  expect(slots.slotOf(next)).toBe("granted");
  putScan({ ...lost, status: { reason: "WaitingForSlot" } });
  expect(slots.queued().map(({ id }) => id)).toEqual([`${scanIdOf(lost)}/uid-lost`]);
});

test("a Job whose Scan was deleted still takes a slot", () => {
  const { slots, removeScan, addScan, addJob } = stage(1);
  const [deleted, next] = [addScan("gone", 1), addScan("next", 2)];
  addJob(deleted);
  removeScan(deleted);
  expect(slots.slotOf(next)).toBe("waiting");
});

test("accounts have their turns one after another, though one submitted all of its scans before the others", () => {
  const { slots, addScan, putScan, addJob } = stage(1);
  const scans = ["a", "a", "b", "b", "c"].map((account, n) => addScan(`${account}${n}`, n, account));
  const order = scans.map(() => {
    const [next] = slots.newlyEligible();
    expect(slots.slotOf(next!)).toBe("granted");
    addJob(next!);
    expect(slots.newlyEligible()).toEqual([]);
    addJob(next!, [{ type: "Complete", status: "True" }]);
    putScan({ ...next!, status: { finishedAt: START.toISOString() } });
    return next!.metadata.name;
  });
  expect(order).toEqual(["a0", "b2", "c4", "a1", "b3"]);
});

test("Scans of several namespaces wait in one line, by account: a separate one each, or one that they share", () => {
  const { slots, putScan, addScan } = stage(1);
  const inNamespace = (namespace: string, seconds: number): ScanResource => {
    const { metadata, ...rest } = scanResource();
    const creationTimestamp = new Date(START.getTime() + seconds * 1000).toISOString();
    const scan = {
      ...rest,
      metadata: { ...metadata, namespace, name: `n${seconds}`, uid: `uid-${seconds}`, creationTimestamp },
    };
    putScan(scan);
    return scan;
  };
  inNamespace("team-a", 1);
  inNamespace("also-a", 2);
  addScan("named", 3, "b");
  inNamespace("team-b", 4);
  inNamespace("without", 5);
  expect(slots.queued().map(({ account }) => account)).toEqual(["a", "a", "b", "b", "of without"]);
});

test("a new leader gives the next turn to the account whose last scan started longest ago, and counts what runs", () => {
  const { putScan, addScan, addJob, successor } = stage(2);
  const at = (seconds: number) => new Date(START.getTime() + seconds * 1000).toISOString();
  const [early, late] = [addScan("early", 1, "early"), addScan("late", 2, "late")];
  putScan({ ...early, status: { startedAt: at(5), finishedAt: at(6) } });
  putScan({ ...late, status: { startedAt: at(7), finishedAt: at(8) } });
  addJob(addScan("running", 3, "other"));
  addScan("late-next", 4, "late");
  const next = addScan("early-next", 5, "early");
  expect(successor().newlyEligible()).toEqual([next]);
});
