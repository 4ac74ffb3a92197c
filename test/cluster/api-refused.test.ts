import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

let stage: Stage;
let api: ApiProcess;
let client: ApiClient;
beforeAll(async () => {
  stage = await setStage();
  await stage.startController({ GLOVEBOX_POD_WAIT_SECONDS: "60" });
  api = await startApi(stage);
  client = await api.clientOf();
});
afterAll(async () => {
  await api?.stop();
  await stage?.close();
});

/** From then on the API server takes no Job in the namespace. */
async function forbidJobs(): Promise<void> {
  const metadata = { name: "no-jobs", namespace: stage.namespace };
  await apply({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata,
    spec: { hard: { "count/jobs.batch": "0" } },
  });
  await until("the quota in force", async () => {
    const { status } = await getJson<{ status?: { used?: object } }>(
      ...["resourcequota", "no-jobs", "-n", stage.namespace],
    );
    return status?.used !== undefined;
  });
}
const allowJobs = () => kubectl(["delete", "resourcequota", "no-jobs", "-n", stage.namespace]);
const refused = (id: string) =>
  until("the refusal in the status", async () => {
    const { conditions = [] } = await stage.statusOf(id);
    return conditions.find(({ type, reason }) => type === "ReportRecorded" && reason === "CouldNotStart");
  });
const WHY = /The API server rejects its Job: jobs\.batch "[^"]+" is forbidden: exceeded quota: no-jobs/;

test("a Job that a ResourceQuota refuses for a while is said, and costs no attempt", async () => {
  await forbidJobs();
  const id = await client.submit();
  const { status, message } = await refused(id);
  expect(status).toBe("Unknown");
  expect(message).toMatch(WHY);
  expect(await stage.statusOf(id)).toMatchObject({ phase: "Pending", attempt: 1 });
  await allowJobs();
  expect(await stage.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
});

test("a Job that a ResourceQuota refuses for good ends as could_not_start, and says what refuses it", async () => {
  await forbidJobs();
  const id = await client.submit();
  await refused(id);
  const status = await stage.finished(id);
  expect(status).toMatchObject({ phase: "Failed", attempt: 1, failure: { code: "could_not_start" } });
  expect(status.failure!.message).toMatch(WHY);
  expect(await client.read(id)).toMatchObject({ status: "failed", error: status.failure });
  await stage.tidied();
  await allowJobs();
});
