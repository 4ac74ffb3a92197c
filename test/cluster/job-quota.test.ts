import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { applyResourceQuota, type ResourceQuota } from "./support/resource-quota.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
let api: ApiProcess;
let client: ApiClient;
beforeAll(async () => {
  fixture = await startFixture();
  await fixture.startController({ GLOVEBOX_POD_WAIT_SECONDS: "60" });
  api = await startApi(fixture);
  client = await api.clientOf();
});
afterAll(async () => {
  await api?.stop();
  await fixture?.close();
});

const forbidJobs = (): Promise<ResourceQuota> =>
  applyResourceQuota(fixture.namespace, "no-jobs", { "count/jobs.batch": "0" });
const couldNotStart = (id: string) =>
  until("the rejection in the status", async () => {
    const { conditions = [] } = await fixture.statusOf(id);
    return conditions.find(({ type, reason }) => type === "ReportRecorded" && reason === "CouldNotStart");
  });
const REASON = /The API server rejects its Job: jobs\.batch "[^"]+" is forbidden: exceeded quota: no-jobs/;

test("a Job that a ResourceQuota rejects temporarily is created in the first attempt, and the status says what rejected it", async () => {
  const quota = await forbidJobs();
  const id = await client.submit();
  const { status, message } = await couldNotStart(id);
  expect(status).toBe("Unknown");
  expect(message).toMatch(REASON);
  expect(await fixture.statusOf(id)).toMatchObject({ phase: "Pending", attempt: 1 });
  await quota.delete();
  expect(await fixture.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
});

test("a Job that a ResourceQuota keeps rejecting fails its scan with could_not_start and the reason", async () => {
  const quota = await forbidJobs();
  const id = await client.submit();
  await couldNotStart(id);
  const status = await fixture.finished(id);
  expect(status).toMatchObject({ phase: "Failed", attempt: 1, failure: { code: "could_not_start" } });
  expect(status.failure!.message).toMatch(REASON);
  expect(await client.read(id)).toMatchObject({ status: "failed", error: status.failure });
  await fixture.cleanedUp();
  await quota.delete();
});
