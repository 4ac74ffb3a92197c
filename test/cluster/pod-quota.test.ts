import { afterAll, beforeAll, expect, test } from "vitest";
import { applyResourceQuota, type ResourceQuota } from "./support/resource-quota.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  await fixture.startController({ GLOVEBOX_POD_WAIT_SECONDS: "90" });
});
afterAll(() => fixture?.close());

const forbidPods = (): Promise<ResourceQuota> =>
  applyResourceQuota(fixture.namespace, "no-pods", { pods: "0" });
const quotaReason = (name: string) =>
  until("the reason in the status", async () => {
    const { conditions = [] } = await fixture.statusOf(name);
    return conditions.find(({ reason, message }) => reason === "NoPodCreated" && /quota/.test(message));
  });
const REASON = /Error creating: pods "[^"]+" is forbidden: exceeded quota: no-pods/;

test("a scan whose pod a ResourceQuota rejects shows the reason in its status, and completes when the quota is deleted", async () => {
  const quota = await forbidPods();
  await fixture.applyScan("waits");
  const condition = await quotaReason("waits");
  expect(condition).toMatchObject({ type: "ReportRecorded", status: "Unknown" });
  expect(condition.message).toMatch(REASON);
  await quota.delete();
  expect(await fixture.finished("waits")).toMatchObject({ phase: "Completed", attempt: 1 });
});

test("a scan whose pod a ResourceQuota keeps rejecting fails with could_not_start and the reason", async () => {
  const quota = await forbidPods();
  await fixture.applyScan("rejected");
  const status = await fixture.finished("rejected");
  expect(status).toMatchObject({ phase: "Failed", attempt: 1, failure: { code: "could_not_start" } });
  expect(status.failure!.message).toMatch(REASON);
  await fixture.cleanedUp();
  await quota.delete();
});
