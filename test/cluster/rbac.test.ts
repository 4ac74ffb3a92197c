import { afterAll, beforeAll, expect, test } from "vitest";
import { applyChartRoles, type ChartRoles } from "./support/chart-roles.ts";
import { getJson, namesOf } from "./support/kubectl.ts";
import { HOST, startFixture, type Fixture } from "./support/fixture.ts";
import { applySchedule, soon } from "./support/schedules.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
let roles: ChartRoles;
beforeAll(async () => {
  fixture = await startFixture();
  roles = await applyChartRoles(fixture);
});
afterAll(async () => {
  await fixture?.close();
  await roles?.remove();
});

test("the roles of the chart permit all that a scan needs, from its schedule and the creation of its Job to the deletion of the Scan", async () => {
  const controller = await fixture.startController({
    ...roles.settings,
    GLOVEBOX_SCAN_TTL_SECONDS: "10",
  });
  const scanTemplate = { spec: { url: `https://${HOST}/v1`, account: "default" } };
  await applySchedule(fixture.namespace, "nightly", {
    schedule: soon(),
    scanTemplate,
    successfulHistoryLimit: 0,
  });
  await fixture.applyScan("least-privilege");
  expect(await fixture.finished("least-privilege")).toMatchObject({ phase: "Completed", attempt: 1 });
  await fixture.cleanedUp();
  await until("the events of the report and of the schedule", async () => {
    const { items } = await getJson<{ items: { reason: string }[] }>("events", "-n", fixture.namespace);
    return ["ReportReceived", "ScanCreated"].every((one) => items.some(({ reason }) => reason === one));
  });
  await until("the deletion of the Scans", async () => {
    const names = await namesOf("scans.glovebox.dev", fixture.namespace);
    return names.length === 0;
  });
  expect(await controller.stop()).toBe(0);
  expect(controller.lines.filter((line) => /Forbidden|cannot be read/.test(line))).toEqual([]);
});
