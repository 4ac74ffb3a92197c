import { scanIdOf, type ScanResource } from "@glovebox/k8s";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processMemory } from "../support/process-memory.ts";
import { startTruncatingProxy, type TruncatingProxy } from "./support/truncating-proxy.ts";
import { metricOf, resultsLost, type ControllerProcess } from "./support/controller.ts";
import { faultyScanners, type Fault, type FaultyScanners } from "./support/faulty-scanners.ts";
import { getJson } from "./support/kubectl.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

const KIB = 1024;
/** The output of compromised scanners: no larger than a log file before rotation. */
const BOMBS: readonly Fault[] = [
  { name: "empty lines", noiseBytes: 100_000 },
  { name: "short lines", noiseBytes: 300_000 },
  { name: "progress lines", noiseBytes: 3_000 * KIB },
  { name: "unpacks to objects", noiseBytes: 32_000 * KIB },
  { name: "unpacks to objects", noiseBytes: 8_000 * KIB },
  { name: "unpacks to brackets", noiseBytes: 32_000 * KIB },
  { name: "unpacks to brackets", noiseBytes: 8_000 * KIB },
  { name: "unpacks to numbers", noiseBytes: 390 * KIB },
];
const hostile = BOMBS.map((_, index) => `hostile-${index}`);
const NORMAL = ["normal-1", "normal-2", "normal-3"];
/** Memory limit of the controller in the chart, in MiB. */
const MEMORY_LIMIT = 256;

let fixture: Fixture;
let faults: FaultyScanners;
let proxy: TruncatingProxy;
/** By scan id. */
const bombs = new Map<string, Fault>();
let controller: ControllerProcess;
beforeAll(async () => {
  fixture = await startFixture();
  faults = await faultyScanners(fixture.namespace);
  proxy = await startTruncatingProxy(0);
  for (const [index, name] of hostile.entries()) {
    await fixture.applyScan(name);
    const scan = await getJson<ScanResource>("scans.glovebox.dev", name, "-n", fixture.namespace);
    bombs.set(scanIdOf(scan), BOMBS[index]!);
  }
  faults.choose((_, scanId) => bombs.get(scanId));
  const many = "20";
  controller = await fixture.startController({
    KUBECONFIG: proxy.kubeconfig,
    GLOVEBOX_MAX_CONCURRENT_SCANS: many,
    GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: many,
    GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: many,
    // As in the image of the controller.
    NODE_OPTIONS: "--max-semi-space-size=4",
    MALLOC_ARENA_MAX: "1",
    MALLOC_TRIM_THRESHOLD_: "65536",
  });
});
afterAll(async () => {
  await controller?.stop();
  await proxy?.close();
  await faults?.close();
  await fixture?.close();
});

interface Lease {
  readonly spec: { readonly holderIdentity: string; readonly leaseTransitions: number };
}
const lease = async () => {
  const { spec } = await getJson<Lease>("lease", "glovebox-controller", "-n", fixture.namespace);
  return [spec.holderIdentity, spec.leaseTransitions];
};

const readsOfHostile = (): number[] => [...bombs.keys()].map((scanId) => proxy.reads(scanId));

test("eight compromised scanners fail with report_malformed and are read once, while other scans complete and the leader stays", async () => {
  const held = await until("a leader", () => lease().catch(() => undefined));
  await Promise.all(NORMAL.map((name) => fixture.applyScan(name)));
  for (const [index, name] of hostile.entries()) {
    const status = await fixture.finished(name);
    expect([BOMBS[index], status]).toMatchObject([
      BOMBS[index],
      { phase: "Failed", attempt: 1, failure: { code: "report_malformed" } },
    ]);
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: "ReportRecorded", status: "False", reason: "ReportMalformed" }),
    );
  }
  for (const name of NORMAL)
    expect(await fixture.finished(name)).toMatchObject({ phase: "Completed", attempt: 1 });

  expect(readsOfHostile()).toEqual(BOMBS.map(() => 1));
  expect(await metricOf(controller, "glovebox_reports_malformed_total")).toBe(hostile.length);
  expect(await resultsLost(controller)).toBe(0);
  expect(await lease()).toEqual(held);
  expect(processMemory(controller.pid)!.peak).toBeLessThan(MEMORY_LIMIT);
});

test("a new leader does not read their logs again", async () => {
  await controller.kill();
  controller = await fixture.startController({ KUBECONFIG: proxy.kubeconfig });
  await fixture.applyScan("normal-4");
  await fixture.finished("normal-4");
  expect(readsOfHostile()).toEqual(BOMBS.map(() => 1));
  await fixture.cleanedUp();
});
