import { storedReport } from "@glovebox/store/testing";
import { newScanId } from "@glovebox/contract";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ControllerProcess, resultsLost } from "./support/controller.ts";
import { faultyScanners, type Fault, type FaultyScanners } from "./support/faulty-scanners.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";

let fixture: Fixture;
let faults: FaultyScanners;
let controller: ControllerProcess;
beforeAll(async () => {
  fixture = await startFixture();
  faults = await faultyScanners(fixture.namespace);
});
afterAll(async () => {
  await faults?.close();
  await fixture?.close();
});

const startWithFault = async (faultOf: (attempt: number) => Fault | undefined): Promise<void> => {
  faults.choose(faultOf);
  controller = await fixture.startController();
};
afterEach(() => controller.stop());
const inFirstAttempt =
  (fault: Fault) =>
  (attempt: number): Fault | undefined =>
    attempt === 1 ? fault : undefined;

const MEBIBYTE = 1024 * 1024;
/** More than the controller reads of a log, and less than the size at which the kubelet rotates it. */
const BEYOND_READ_LIMIT: Fault = { name: "after much noise", noiseBytes: 5 * MEBIBYTE };

describe("an incomplete report", () => {
  test.each<[string, Fault]>([
    ["without its last frame", { name: "without its last piece" }],
    ["with half of its last frame", { name: "with half of its last piece" }],
    ["beyond the read limit of a log", BEYOND_READ_LIMIT],
  ])("%s counts as lost, and the next attempt delivers the whole report", async (_, fault) => {
    await startWithFault(inFirstAttempt(fault));
    const name = fault.name.replaceAll(" ", "-");
    await fixture.applyScan(name);
    const status = await fixture.finished(name);
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
  ])("(%s) costs an attempt, and the next attempt completes", async (name, rule) => {
    await startWithFault(inFirstAttempt({ name }));
    const scan = name.replaceAll(" ", "-");
    await fixture.applyScan(scan);
    const status = await fixture.finished(scan);
    expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
    expect(await recordedFindings(status.scanId!)).toBe(status.findings);
    expect(controller.lines.join("\n")).toContain(`"rule":"${rule}"`);
    // Without an announced report, none counts as lost.
    expect(await resultsLost(controller)).toBe(0);
  });

  test("a container that is killed while it prints its report in every attempt fails the scan with scanner_crashed after the last attempt", async () => {
    await startWithFault(() => ({ name: "killed in mid-write" }));
    await fixture.applyScan("always-killed");
    const status = await fixture.finished("always-killed");
    expect(status).toMatchObject({ phase: "Failed", attempt: 3, failure: { code: "scanner_crashed" } });
    expect(status.findings).toBeUndefined();
  });
});

describe("a report that is lost in every attempt", () => {
  test("fails the scan with ResultLost, and the charge is refunded", async () => {
    const account = await fixture.store.accounts.declare({ name: "metered", plan: "free" });
    await startWithFault(() => BEYOND_READ_LIMIT);
    await fixture.applyScan("always-lost", undefined, "metered");
    const status = await fixture.finished("always-lost");
    expect(status).toMatchObject({ phase: "Failed", attempt: 3, failure: { code: "result_lost" } });
    expect(status.conditions).toContainEqual(
      expect.objectContaining({ type: "ReportRecorded", status: "False", reason: "ResultLost" }),
    );
    const { failure, packedReport } = (await fixture.store.scans.get(account.id, status.scanId!))!;
    expect(failure?.code).toBe("result_lost");
    expect(packedReport).toBeNull();
    expect(await resultsLost(controller)).toBe(3);
    await fixture.cleanedUp();
    expect(await scansLeft("metered")).toBe(3);
  });

  test("does not refund a completed scan of the account", async () => {
    await startWithFault(() => undefined);
    await fixture.store.accounts.declare({ name: "charged", plan: "free" });
    await fixture.applyScan("delivered", undefined, "charged");
    expect(await fixture.finished("delivered")).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await resultsLost(controller)).toBe(0);
    expect(await scansLeft("charged")).toBe(2);
  });
});

async function recordedFindings(scanId: string): Promise<number> {
  return storedReport((await fixture.store.scans.get(fixture.account.id, scanId))!).findings.length;
}

/** The remaining quota of an account of the plan Free. Uses it up. */
async function scansLeft(accountName: string): Promise<number> {
  const scan = { accountName, url: "https://shop.example/" };
  for (let left = 0; ; left++) {
    const resource = { uid: `uid-${left}`, namespace: fixture.namespace, installation: "none" };
    const { outcome } = await fixture.store.scans.adopt({ ...scan, ...resource, id: newScanId(new Date()) });
    if (outcome === "quotaExceeded") return left;
    expect(outcome).toBe("adopted");
  }
}
