import { type ScanResource, scanIdOf } from "@glovebox/k8s";
import { keyOf, createObjectStore } from "@glovebox/kube";
import { expect, test } from "vitest";
import { ScanQueue } from "./scan-queue.ts";
import type { ScanView } from "./overlay.ts";
import { BY_SCAN_ID } from "../caches/scan-cache.ts";
import { scanResource, START } from "./testing/worlds.ts";

const named = (name: string, uid = name): ScanResource => {
  const { metadata, ...rest } = scanResource();
  return { ...rest, metadata: { ...metadata, name, uid } };
};
const finished = (name: string): ScanResource => ({
  ...named(name),
  status: { finishedAt: START.toISOString() },
});

/** Notes what is reconciled; those that become eligible next are in `newlyEligible`. */
function lead(initial: readonly ScanResource[], isDone: () => boolean = () => true) {
  const scans = createObjectStore<ScanResource>({ [BY_SCAN_ID]: (scan) => [scanIdOf(scan)] });
  initial.forEach((scan) => scans.put(scan));
  const looks: [string, string, boolean][] = [];
  const newlyEligible: ScanResource[] = [];
  const scanQueue = new ScanQueue({
    caches: { scans },
    slots: { newlyEligible: () => newlyEligible, refresh: () => undefined, refreshAll: () => undefined },
    orphans: { check: () => undefined, checkAll: () => undefined, stop: async () => undefined },
    workers: 2,
    observer: {},
    reconciler:
      ({ find, forget }) =>
      async (key) => {
        const seen: ScanView | undefined = find(key);
        if (seen) looks.push([key, seen.scan.metadata.uid, seen.isTombstone]);
        if (seen?.isTombstone && isDone()) forget(key, seen);
        return undefined;
      },
  });
  // What waits when the lead ends is forgotten: a turn of the loop lets it be worked off.
  const looked = async () => {
    await new Promise(setImmediate);
    return looks.splice(0).map(([key, ...rest]) => [key.replace("glovebox-scans/", ""), ...rest]);
  };
  return { scans, scanQueue, newlyEligible, looked };
}

test("a new leader looks at every Scan", async () => {
  const { looked } = lead([named("a"), named("b")]);
  expect(await looked()).toEqual([
    ["a", "a", false],
    ["b", "b", false],
  ]);
});

test("a Job, a policy, a pod and a recorded end lead to their Scan, and another policy to all", async () => {
  const [a, b] = [named("a"), named("b")];
  const { scanQueue, looked } = lead([a, b]);
  await looked();
  scanQueue.onPartOfScan(scanIdOf(a), "pod", {});
  expect(await looked()).toEqual([["a", "a", false]]);
  scanQueue.onStoreEvent({ type: "scanEnded", id: scanIdOf(b) });
  expect(await looked()).toEqual([["b", "b", false]]);
  scanQueue.onOtherPolicy();
  expect(await looked()).toHaveLength(2);
  scanQueue.onStoreEvent({ type: "reconnected" });
  expect(await looked()).toHaveLength(2);
});

test("when a Job changes or a scan ends, those whose turn it is are looked at", async () => {
  const [a, next] = [named("a"), named("next")];
  const { scanQueue, newlyEligible, looked } = lead([a, next]);
  await looked();
  newlyEligible.push(next);
  scanQueue.onPartOfScan(scanIdOf(a), "job", {});
  expect(await looked()).toEqual([
    ["a", "a", false],
    ["next", "next", false],
  ]);
  scanQueue.onScan({ type: "updated", object: finished("a"), previous: a });
  expect(await looked()).toHaveLength(2);
});

test("a finished Scan is looked at by a new leader and when something of it changes, and otherwise left alone", async () => {
  const scan = finished("a");
  const { scanQueue, looked } = lead([scan]);
  expect(await looked()).toHaveLength(1);
  scanQueue.onOtherPolicy();
  scanQueue.onStoreEvent({ type: "reconnected" });
  scanQueue.onStoreEvent({ type: "scanEnded", id: scanIdOf(scan) });
  scanQueue.onScan({ type: "resynced", object: scan });
  expect(await looked()).toEqual([]);
  scanQueue.onPartOfScan(scanIdOf(scan), "job", {});
  expect(await looked()).toHaveLength(1);
  scanQueue.onScan({ type: "updated", object: scan, previous: scan });
  expect(await looked()).toHaveLength(1);
});

test("a deleted Scan is looked at once more, and then another that was created under its name", async () => {
  const [old, young] = [named("a", "old"), named("a", "young")];
  const { scans, scanQueue, looked } = lead([old]);
  await looked();
  scans.put(young);
  scanQueue.onScan({ type: "deleted", object: old });
  expect(await looked()).toEqual([
    ["a", "old", true],
    ["a", "young", false],
  ]);
});

test("a deleted Scan whose end could not be recorded is not forgotten", async () => {
  let isDone = false;
  const scan = named("a");
  const { scans, scanQueue, looked } = lead([], () => isDone);
  scanQueue.onScan({ type: "deleted", object: scan });
  await looked();
  scanQueue.onPartOfScan(scanIdOf(scan), "pod", {});
  expect(await looked()).toEqual([]);
  isDone = true;
  scanQueue.onScan({ type: "deleted", object: scan });
  expect(await looked()).toEqual([["a", "a", true]]);
  expect(scans.get(keyOf(scan))).toBeUndefined();
});

test("a lead that has ended looks at nothing more", async () => {
  const scan = named("a");
  const { scanQueue, looked } = lead([scan]);
  await looked();
  await scanQueue.stop();
  scanQueue.onScan({ type: "added", object: scan });
  expect(await looked()).toEqual([]);
});
