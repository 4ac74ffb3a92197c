import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

let stage: Stage;
beforeAll(async () => {
  // Slow enough for something to happen to a scan on its way.
  stage = await setStage({ delayMs: 100 });
});
afterAll(() => stage?.close());

const runningPod = () =>
  until("a scan's pod that runs", async () => {
    const { items } = await getJson<{ items: Pod[] }>("pods", "-n", stage.namespace);
    return items.find(({ status }) => status.phase === "Running");
  });
interface Pod {
  readonly metadata: { readonly name: string };
  readonly status: { readonly phase: string };
}
const charged = async (): Promise<number> =>
  (await stage.store.scans.list(stage.account.id, { limit: 1, offset: 0 })).total;

describe("a controller that is killed while a scan runs", () => {
  test("is replaced by the next, which records the report of the same Job", async () => {
    const first = await stage.startController();
    await stage.applyScan("killed-controller");
    await runningPod();
    const jobs = await namesOf("jobs", stage.namespace);
    await first.kill();
    const { phase } = await stage.statusOf("killed-controller");
    expect(phase).toBe("Running");

    const second = await stage.startController();
    const status = await stage.finished("killed-controller");
    expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(jobs).toEqual([`${status.scanId}-1`]);
    expect(await charged()).toBe(1);
    await stage.tidied();
    expect(await second.stop()).toBe(0);
  });
});

describe("a controller that is told to stop while a scan runs", () => {
  test("hands its lease over at once, and the next goes on", async () => {
    const first = await stage.startController();
    await stage.applyScan("handed-over");
    await runningPod();
    expect(await first.stop()).toBe(0);
    const lease = await getJson<{ spec: { holderIdentity?: string } }>(
      ...["lease", "glovebox-controller", "-n", stage.namespace],
    );
    expect(lease.spec.holderIdentity ?? "").toBe("");
    const second = await stage.startController();
    expect(await stage.finished("handed-over")).toMatchObject({ phase: "Completed", attempt: 1 });
    await second.stop();
  });
});

describe("a pod that is deleted", () => {
  test("while it runs costs an attempt, and the next one delivers the report", async () => {
    const controller = await stage.startController();
    await stage.applyScan("deleted-pod");
    const { metadata } = await runningPod();
    await kubectl(["delete", "pod", metadata.name, "-n", stage.namespace, "--grace-period=0", "--force"]);
    const status = await stage.finished("deleted-pod");
    expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
    await stage.tidied();
    await controller.stop();
  });

  test("after it has ended and before its log was read costs an attempt, never a report without findings", async () => {
    const first = await stage.startController();
    await stage.applyScan("deleted-before-reading");
    const { metadata } = await runningPod();
    await first.kill();
    await kubectl([
      ...["wait", "job", "--all", "-n", stage.namespace, "--for=condition=Complete", "--timeout=180s"],
    ]);
    await kubectl(["delete", "pod", metadata.name, "-n", stage.namespace]);
    const second = await stage.startController();
    const status = await stage.finished("deleted-before-reading");
    expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
    expect(status.findings).toBeGreaterThan(0);
    const metrics = await (await fetch(`${second.url}/metrics`)).text();
    expect(metrics).toMatch(/^glovebox_results_lost_total 1$/m);
    await second.stop();
  });
});

describe("a Scan that is deleted while it runs", () => {
  test("is recorded as cancelled, and its Job, pod and policy go with it", async () => {
    const controller = await stage.startController();
    await stage.applyScan("deleted-scan");
    await runningPod();
    const { scanId } = await stage.statusOf("deleted-scan");
    await kubectl(["delete", "scans.glovebox.dev", "deleted-scan", "-n", stage.namespace]);
    const row = await until("the end on record", async () => {
      const found = await stage.store.work.find(scanId!);
      return found?.status === "failed" && found;
    });
    expect(row.failure?.code).toBe("cancelled");
    await stage.tidied();
    await controller.stop();
  });
});
