import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resultsLost } from "./support/controller.ts";
import { getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { scanPod } from "./support/scan-pod.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
beforeAll(async () => {
  // Slow enough to interrupt a scan.
  fixture = await startFixture({ delayMs: 30 });
});
afterAll(() => fixture?.close());

const charged = async (): Promise<number> =>
  (await fixture.store.scans.list(fixture.account.id, { limit: 1, offset: 0 })).total;

describe("a controller that is killed while a scan runs", () => {
  test("a controller that is killed while a scan runs is followed by another, which records the report of the same Job", async () => {
    const first = await fixture.startController();
    await fixture.applyScan("killed-controller");
    await scanPod(fixture.namespace);
    const jobs = await namesOf("jobs", fixture.namespace);
    await first.kill();
    const { phase } = await fixture.statusOf("killed-controller");
    expect(phase).toBe("Running");

    const second = await fixture.startController();
    const status = await fixture.finished("killed-controller");
    expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(jobs).toEqual([`${status.scanId}-1`]);
    expect(await charged()).toBe(1);
    await fixture.cleanedUp();
    expect(await second.stop()).toBe(0);
  });
});

describe("a controller that gets SIGTERM while a scan runs", () => {
  test("releases its Lease immediately, and the next controller completes the scan", async () => {
    const first = await fixture.startController();
    await fixture.applyScan("handed-over");
    await scanPod(fixture.namespace);
    expect(await first.stop()).toBe(0);
    const lease = await getJson<{ spec: { holderIdentity?: string } }>(
      ...["lease", "glovebox-controller", "-n", fixture.namespace],
    );
    expect(lease.spec.holderIdentity ?? "").toBe("");
    const second = await fixture.startController();
    expect(await fixture.finished("handed-over")).toMatchObject({ phase: "Completed", attempt: 1 });
    await second.stop();
  });
});

describe("a scan pod that is deleted", () => {
  test("while it runs costs an attempt, and the next attempt completes", async () => {
    const controller = await fixture.startController();
    await fixture.applyScan("deleted-pod");
    const { metadata } = await scanPod(fixture.namespace);
    await kubectl(["delete", "pod", metadata.name, "-n", fixture.namespace, "--grace-period=0", "--force"]);
    const status = await fixture.finished("deleted-pod");
    expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
    await fixture.cleanedUp();
    await controller.stop();
  });

  test("a scan pod that is deleted between its end and the read of its log costs an attempt, and the next attempt reports the findings", async () => {
    const first = await fixture.startController();
    await fixture.applyScan("deleted-before-reading");
    const { metadata } = await scanPod(fixture.namespace);
    await first.kill();
    await kubectl([
      ...["wait", "job", "--all", "-n", fixture.namespace, "--for=condition=Complete", "--timeout=180s"],
    ]);
    await kubectl(["delete", "pod", metadata.name, "-n", fixture.namespace]);
    const second = await fixture.startController();
    const status = await fixture.finished("deleted-before-reading");
    expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
    expect(status.findings).toBeGreaterThan(0);
    expect(await resultsLost(second)).toBe(1);
    await second.stop();
  });
});

describe("a running Scan that is deleted", () => {
  test("a running Scan that is deleted is recorded as cancelled, and its Job, pod and policy are deleted", async () => {
    const controller = await fixture.startController();
    await fixture.applyScan("deleted-scan");
    await scanPod(fixture.namespace);
    const { scanId } = await fixture.statusOf("deleted-scan");
    await kubectl(["delete", "scans.glovebox.dev", "deleted-scan", "-n", fixture.namespace]);
    const row = await until("the end in the database", async () => {
      const found = await fixture.store.work.find(scanId!);
      return found?.status === "failed" && found;
    });
    expect(row.failure?.code).toBe("cancelled");
    await fixture.cleanedUp();
    await controller.stop();
  });
});
