import { newScanId } from "@glovebox/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ControllerProcess, resultsLost } from "./support/controller.ts";
import { faultyScanners, type Fault, type FaultyScanners } from "./support/faulty-scanners.ts";
import { setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
let faults: FaultyScanners;
let controller: ControllerProcess;
beforeAll(async () => {
  stage = await setStage();
  faults = await faultyScanners(stage.namespace);
});
afterAll(async () => {
  await faults?.close();
  await stage?.close();
});

const started = async (faultOf: (attempt: number) => Fault | undefined): Promise<void> => {
  faults.choose(faultOf);
  controller = await stage.startController();
};
afterEach(() => controller.stop());
const atFirst =
  (fault: Fault) =>
  (attempt: number): Fault | undefined =>
    attempt === 1 ? fault : undefined;

const MEBIBYTE = 1024 * 1024;
/** More than the controller reads of a log, and less than what a kubelet rotates at. */
const DROWNED: Fault = { name: "after much noise", noiseBytes: 5 * MEBIBYTE };

describe("a report that does not arrive whole", () => {
  test.each<[string, Fault]>([
    ["without its last piece", { name: "without its last piece" }],
    ["with half of its last piece", { name: "with half of its last piece" }],
    ["beyond what is read of a log", DROWNED],
  ])("but %s is lost, never recorded in part, and the next attempt delivers it", async (_, fault) => {
    await started(atFirst(fault));
    const name = fault.name.replaceAll(" ", "-");
    await stage.applyScan(name);
    const status = await stage.finished(name);
    expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
    expect(await recordedFindings(status.scanId!)).toBe(status.findings);
    expect(status.findings).toBeGreaterThan(0);
    expect(await resultsLost(controller)).toBe(1);
  });
});

describe("a container that is killed while it prints its report", () => {
  test.each([
    ["killed in mid-write", "backoffLimitExceeded"],
    ["out of memory in mid-write", "outOfMemory"],
  ])("(%s) costs an attempt, and the next one delivers the report", async (name, rule) => {
    await started(atFirst({ name }));
    const scan = name.replaceAll(" ", "-");
    await stage.applyScan(scan);
    const status = await stage.finished(scan);
    expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
    expect(await recordedFindings(status.scanId!)).toBe(status.findings);
    expect(controller.lines.join("\n")).toContain(`"rule":"${rule}"`);
    // No report was announced, so that none was lost.
    expect(await resultsLost(controller)).toBe(0);
  });

  test("each time fails the scan after its last attempt, and says so", async () => {
    await started(() => ({ name: "killed in mid-write" }));
    await stage.applyScan("always-killed");
    const status = await stage.finished("always-killed");
    expect(status).toMatchObject({ phase: "Failed", attempt: 3, failure: { code: "scanner_crashed" } });
    expect(status.findings).toBeUndefined();
  });
});

describe("a report that is lost at every attempt", () => {
  test("fails the scan as ResultLost, and what it was charged is given back", async () => {
    const account = await stage.store.accounts.declare({ name: "metered", plan: "free" });
    await started(() => DROWNED);
    await stage.applyScan("always-lost", undefined, "metered");
    const status = await stage.finished("always-lost");
    expect(status).toMatchObject({ phase: "Failed", attempt: 3, failure: { code: "result_lost" } });
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: "ReportRecorded", status: "False", reason: "ResultLost" }),
    );
    const { failure, reportJson } = (await stage.store.scans.get(account.id, status.scanId!))!;
    expect(failure?.code).toBe("result_lost");
    expect(reportJson).toBeNull();
    expect(await resultsLost(controller)).toBe(3);
    await stage.tidied();
    expect(await scansLeft("metered")).toBe(3);
  });

  test("of an account that paid for a scan that was delivered leaves that one charged", async () => {
    await started(() => undefined);
    await stage.store.accounts.declare({ name: "charged", plan: "free" });
    await stage.applyScan("delivered", undefined, "charged");
    expect(await stage.finished("delivered")).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await resultsLost(controller)).toBe(0);
    expect(await scansLeft("charged")).toBe(2);
  });
});

async function recordedFindings(scanId: string): Promise<number> {
  const { reportJson } = (await stage.store.scans.get(stage.account.id, scanId))!;
  return (JSON.parse(reportJson!) as { findings: unknown[] }).findings.length;
}

/** How many scans an account of the plan Free may still have this month, by charging them. */
async function scansLeft(accountName: string): Promise<number> {
  const scan = { accountName, url: "https://shop.example/" };
  for (let left = 0; ; left++) {
    const resource = { uid: `uid-${left}`, namespace: stage.namespace, installation: "none" };
    const { outcome } = await stage.store.scans.adopt({ ...scan, ...resource, id: newScanId(new Date()) });
    if (outcome === "quotaExceeded") return left;
    expect(outcome).toBe("adopted");
  }
}
