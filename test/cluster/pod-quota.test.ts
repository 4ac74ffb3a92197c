import { afterAll, beforeAll, expect, test } from "vitest";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.startController({ GLOVEBOX_POD_WAIT_SECONDS: "90" });
});
afterAll(() => stage?.close());

/** From then on the API server takes no pod in the namespace; Jobs it takes. */
async function forbidPods(): Promise<void> {
  const metadata = { name: "no-pods", namespace: stage.namespace };
  await apply({ apiVersion: "v1", kind: "ResourceQuota", metadata, spec: { hard: { pods: "0" } } });
  await until("the quota in force", async () => {
    const { status } = await getJson<{ status?: { used?: object } }>(
      ...["resourcequota", "no-pods", "-n", stage.namespace],
    );
    return status?.used !== undefined;
  });
}
const allowPods = () => kubectl(["delete", "resourcequota", "no-pods", "-n", stage.namespace]);
const said = (name: string) =>
  until("the reason in the status", async () => {
    const { conditions = [] } = await stage.statusOf(name);
    return conditions.find(({ reason, message }) => reason === "NoPodCreated" && /quota/.test(message));
  });
const WHY = /Error creating: pods "[^"]+" is forbidden: exceeded quota: no-pods/;

test("a scan whose pod a ResourceQuota refuses waits and says why, and is carried out once there is room", async () => {
  await forbidPods();
  await stage.applyScan("waits");
  const condition = await said("waits");
  expect(condition).toMatchObject({ type: "ReportRecorded", status: "Unknown" });
  expect(condition.message).toMatch(WHY);
  await allowPods();
  expect(await stage.finished("waits")).toMatchObject({ phase: "Completed", attempt: 1 });
});

test("a scan whose pod is refused for good fails in time, and says what refused it", async () => {
  await forbidPods();
  await stage.applyScan("refused");
  const status = await stage.finished("refused");
  expect(status).toMatchObject({ phase: "Failed", attempt: 1, failure: { code: "could_not_start" } });
  expect(status.failure!.message).toMatch(WHY);
  await stage.tidied();
  await allowPods();
});
