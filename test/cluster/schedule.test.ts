import { fileURLToPath } from "node:url";
import type { ScanResource, ScheduleStatus } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { HOST, SPEC_URL, startFixture, type Fixture } from "./support/fixture.ts";
import { getJson, kubectl } from "./support/kubectl.ts";
import { applySchedule, getSchedule, scansOf, soon } from "./support/schedules.ts";
import { until } from "./support/until.ts";

const EXAMPLE = fileURLToPath(new URL("../../k8s/examples/scan-schedule.yaml", import.meta.url));
const scanTemplate = { spec: { url: `https://${HOST}/v1`, specUrl: SPEC_URL, account: "default" } };

let fixture: Fixture;
let controller: ControllerProcess;
beforeAll(async () => {
  fixture = await startFixture();
  // An ended Scan would be deleted immediately if it were not of a schedule.
  controller = await fixture.startController({ GLOVEBOX_SCAN_TTL_SECONDS: "0" });
});
afterAll(() => fixture?.close());

const statusOf = async (name: string): Promise<ScheduleStatus> =>
  (await getSchedule(fixture.namespace, name)).status ?? {};
const readyOf = ({ conditions = [] }: ScheduleStatus) =>
  conditions.filter(({ type }) => type === "Ready").map(({ status, reason }) => [status, reason]);

describe("a ScanSchedule whose time comes", () => {
  let scan: ScanResource;
  beforeAll(async () => {
    await applySchedule(fixture.namespace, "shop", { schedule: soon(), scanTemplate });
    const created = await until(
      "the Scan of the run",
      async () => (await scansOf(fixture.namespace, "shop"))[0],
    );
    await fixture.finished(created.metadata.name);
    [scan] = (await scansOf(fixture.namespace, "shop")) as [ScanResource];
  });

  test("creates a Scan that completes, is owned by the schedule and kept by its history", () => {
    expect(scan.status).toMatchObject({ phase: "Completed", score: expect.any(Number) });
    expect(scan.metadata.ownerReferences).toMatchObject([{ kind: "ScanSchedule", name: "shop" }]);
  });

  test("says in its status when it ran and runs next, and in an event what it created", async () => {
    const status = await until("the end in the status", async () => {
      const seen = await statusOf("shop");
      return seen.active === 0 && seen.lastScheduleTime !== undefined && seen;
    });
    expect(readyOf(status)).toEqual([["True", "Scheduled"]]);
    expect(status.missedRuns).toBe(0);
    const { phase, grade } = scan.status!;
    expect(status).toMatchObject({ lastScan: scan.metadata.name, lastResult: phase, lastGrade: grade });
    const day = Date.parse(status.nextScheduleTime!) - Date.parse(status.lastScheduleTime!);
    expect(day).toBe(24 * 3600_000);
    const { items } = await getJson<{ items: { reason: string; note: string }[] }>(
      "events.events.k8s.io",
      "-n",
      fixture.namespace,
    );
    const notes = items.filter(({ reason }) => reason === "ScanCreated").map(({ note }) => note);
    expect(notes).toEqual([expect.stringContaining(`Created the Scan ${scan.metadata.name} for the run of`)]);
  });

  test("does not run a second time when another controller takes over", async () => {
    await controller.stop();
    controller = await fixture.startController();
    await kubectl(["annotate", "scanschedules.glovebox.dev", "shop", "-n", fixture.namespace, "team=shop"]);
    await applySchedule(fixture.namespace, "after", { schedule: "?", scanTemplate });
    await until("the decision of the new leader", async () => (await statusOf("after")).conditions);
    expect((await scansOf(fixture.namespace, "shop")).map(({ metadata }) => metadata.uid)).toEqual([
      scan.metadata.uid,
    ]);
  });

  test("takes its Scans with it when it is deleted, and their reports stay", async () => {
    await kubectl(["delete", "scanschedules.glovebox.dev", "shop", "-n", fixture.namespace]);
    await until(
      "the deletion of its Scans",
      async () => (await scansOf(fixture.namespace, "shop")).length === 0,
    );
    const row = await fixture.store.scans.get(fixture.account.id, scan.status!.scanId!);
    expect(row?.status).toBe("completed");
  });
});

test("a ScanSchedule whose Scans all fail is not ready, and kubectl shows why", async () => {
  const refused = { spec: { ...scanTemplate.spec, account: "nobody" } };
  const spec = { schedule: "0 0 1 1 *", revision: "1.4.2", scanTemplate: refused };
  await applySchedule(fixture.namespace, "failing", spec);
  const status = await until("the result in the status", async () => {
    const seen = await statusOf("failing");
    return seen.lastResult !== undefined && seen;
  });
  expect(readyOf(status)).toEqual([["False", "ScansFail"]]);
  const table = await kubectl(["get", "gschedule", "failing", "-n", fixture.namespace]);
  expect(table).toMatch(/^NAME +SCHEDULE +SUSPEND +READY +REASON +ACTIVE +LAST +RESULT +GRADE +NEXT +AGE\n/);
  expect(table).toMatch(/ False +ScansFail +0 +\d+s +AccountNotAllowed /);
});

describe("a ScanSchedule that cannot be used", () => {
  test.each([
    ["cron", { schedule: "99 * * * *" }, "spec.schedule is not a cron expression."],
    [
      "zone",
      { schedule: "0 2 * * *", timeZone: "Mars/Olympus" },
      "spec.timeZone is not the name of a time zone.",
    ],
  ])(
    "a ScanSchedule that cannot be used is not ready, with the field and the reason (%s)",
    async (name, timing, message) => {
      await applySchedule(fixture.namespace, name, { ...timing, scanTemplate });
      const [ready, stalled] = await until("the condition", async () => (await statusOf(name)).conditions);
      expect(ready).toMatchObject({ type: "Ready", status: "False", reason: "InvalidSchedule", message });
      expect(stalled).toMatchObject({ type: "Stalled", status: "True" });
    },
  );

  test("a ScanSchedule that cannot be used is refused by the API server where the schema can tell", async () => {
    const name = "a".repeat(53);
    await expect(applySchedule(fixture.namespace, name, { schedule: soon(), scanTemplate })).rejects.toThrow(
      "metadata.name must have at most 52 characters",
    );
    const other = { spec: { url: "ftp://shop.example" } };
    await expect(
      applySchedule(fixture.namespace, "other", { schedule: soon(), scanTemplate: other }),
    ).rejects.toThrow("must be an https:// or http:// address");
  });
});

test("the example is accepted with the defaults of the contract", async () => {
  const namespace = ["-n", fixture.namespace];
  const file = (await kubectl(["create", "--dry-run=client", "-o", "json", "-f", EXAMPLE])).replace(
    "glovebox-scans",
    fixture.namespace,
  );
  const made = await kubectl(
    ["create", "--dry-run=server", "--validate=strict", "-o", "json", ...namespace, "-f", "-"],
    file,
  );
  expect((JSON.parse(made) as { spec: object }).spec).toMatchObject({
    suspend: false,
    startingDeadlineSeconds: 3600,
    successfulHistoryLimit: 3,
    failedHistoryLimit: 1,
  });
});
