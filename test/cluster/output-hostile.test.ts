import { readFileSync } from "node:fs";
import { scanIdOf, type ScanResource } from "@glovebox/k8s";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cuttingApiServer, type CuttingApiServer } from "./support/cutting-api-server.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { faultyScanners, type Fault, type FaultyScanners } from "./support/faulty-scanners.ts";
import { getJson } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

const KIB = 1024;
/** What the scanners print that were taken over: no more lines than a node keeps in one file. */
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
const ORDINARY = ["ordinary-1", "ordinary-2", "ordinary-3"];
/** What the chart gives the controller, in MiB. */
const CHART_LIMIT = 256;

let stage: Stage;
let faults: FaultyScanners;
let server: CuttingApiServer;
/** By the id of the scan. */
const bombs = new Map<string, Fault>();
let controller: ControllerProcess;
beforeAll(async () => {
  stage = await setStage();
  faults = await faultyScanners(stage.namespace);
  server = await cuttingApiServer(0);
  for (const [index, name] of hostile.entries()) {
    await stage.applyScan(name);
    const scan = await getJson<ScanResource>("scans.glovebox.dev", name, "-n", stage.namespace);
    bombs.set(scanIdOf(scan), BOMBS[index]!);
  }
  faults.choose((_, scanId) => bombs.get(scanId));
  const many = "20";
  controller = await stage.startController({
    KUBECONFIG: server.kubeconfig,
    GLOVEBOX_MAX_CONCURRENT_SCANS: many,
    GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT: many,
    GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: many,
    // As the image of the controller has it.
    NODE_OPTIONS: "--max-semi-space-size=4",
    MALLOC_ARENA_MAX: "1",
    MALLOC_TRIM_THRESHOLD_: "65536",
  });
});
afterAll(async () => {
  await controller?.stop();
  await server?.close();
  await faults?.close();
  await stage?.close();
});

interface Lease {
  readonly spec: { readonly holderIdentity: string; readonly leaseTransitions: number };
}
const lease = async () => {
  const { spec } = await getJson<Lease>("lease", "glovebox-controller", "-n", stage.namespace);
  return [spec.holderIdentity, spec.leaseTransitions];
};

const readsOfHostile = (): number[] => [...bombs.keys()].map((scanId) => server.reads(scanId));

/** The most memory that it ever held, in MiB. */
const peakOf = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${controller.url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

test("eight scanners that were taken over stop neither the controller nor another scan, and are read once", async () => {
  const held = await until("a leader", () => lease().catch(() => undefined));
  await Promise.all(ORDINARY.map((name) => stage.applyScan(name)));
  for (const [index, name] of hostile.entries()) {
    const status = await stage.finished(name);
    expect([BOMBS[index], status]).toMatchObject([
      BOMBS[index],
      { phase: "Failed", attempt: 1, failure: { code: "report_malformed" } },
    ]);
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: "ReportRecorded", status: "False", reason: "ReportMalformed" }),
    );
  }
  for (const name of ORDINARY)
    expect(await stage.finished(name)).toMatchObject({ phase: "Completed", attempt: 1 });

  expect(readsOfHostile()).toEqual(BOMBS.map(() => 1));
  expect(await metric("glovebox_reports_malformed_total")).toBe(hostile.length);
  expect(await metric("glovebox_results_lost_total")).toBe(0);
  expect(await lease()).toEqual(held);
  expect(peakOf(controller.pid)).toBeLessThan(CHART_LIMIT);
});

test("another leader reads none of them again", async () => {
  await controller.kill();
  controller = await stage.startController({ KUBECONFIG: server.kubeconfig });
  await stage.applyScan("ordinary-4");
  await stage.finished("ordinary-4");
  expect(readsOfHostile()).toEqual(BOMBS.map(() => 1));
  await stage.tidied();
});
