import { API_NAME, API_VERSION, KIND, LABELS, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import { age } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { watchJobs, type JobWatch } from "./support/job-watch.ts";
import { apply, getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { HOST, setStage, SPEC_URL, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

const TARGET = { url: `https://${HOST}/v1`, specUrl: SPEC_URL };
const NOWHERE = { url: "https://nowhere.example/" }; // a name of nobody's: the scan ends without a Job

let stage: Stage;
let teams: { readonly shop: string; readonly pay: string };
let settings: Record<string, string>;
let controller: ControllerProcess;
let api: ApiProcess;
let jobs: JobWatch;
beforeAll(async () => {
  stage = await setStage({ delayMs: 100 });
  teams = { shop: `${stage.namespace}-shop`, pay: `${stage.namespace}-pay` };
  await stage.store.accounts.declare({ name: "shop", plan: "enterprise" });
  await stage.store.accounts.declare({ name: "pay", plan: "enterprise" });
  await apply(
    team(teams.shop, { "glovebox.dev/account": "shop" }),
    team(teams.pay, { "glovebox.dev/account": "pay", "glovebox.dev/targets": "pay.example, *.example" }),
  );
  settings = {
    GLOVEBOX_SCAN_NAMESPACES: Object.values(teams).join(),
    GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10",
  };
  jobs = watchJobs(stage.namespace);
  controller = await stage.startController(settings);
  api = await startApi(stage, settings);
});
afterAll(async () => {
  await jobs?.stop();
  await api?.stop();
  for (const name of Object.values(teams ?? {}))
    await kubectl(["delete", "namespace", name, "--ignore-not-found", "--wait=false"]);
  await stage?.close();
});

const team = (name: string, annotations: Record<string, string>): object => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name, annotations },
});
const applyIn = (namespace: string, name: string, spec: object, labels = {}): Promise<unknown> =>
  apply({ apiVersion: API_VERSION, kind: KIND, metadata: { name, namespace, labels }, spec });
const read = (namespace: string, name: string) =>
  getJson<ScanResource>("scans.glovebox.dev", name, "-n", namespace);
const statusWhen = (namespace: string, name: string, isSo: (status: ScanStatus) => unknown) =>
  until(`what becomes of ${namespace}/${name}`, async () => {
    const { status } = await read(namespace, name);
    return status && isSo(status) ? status : undefined;
  });
const ended = (namespace: string, name: string) =>
  statusWhen(namespace, name, ({ finishedAt }) => finishedAt);
const running = (namespace: string, name: string) =>
  statusWhen(namespace, name, ({ phase }) => phase === "Running");
const clientOf = async (name: string): Promise<ApiClient> =>
  api.clientOf(await stage.store.accounts.declare({ name, plan: "enterprise" }));
const jobsOf = (scanId: string | undefined, type: string): number =>
  jobs.changes.filter((job) => job.scanId === scanId && job.type === type).length;
const deleteScan = (namespace: string, name: string) =>
  kubectl(["delete", "scans.glovebox.dev", name, "-n", namespace]);

describe("a Scan in a namespace of a team", () => {
  test("is carried out in the scan namespace, is charged to the team's account, and has its status and events at home", async () => {
    await applyIn(teams.shop, "nightly", TARGET);
    await running(teams.shop, "nightly");
    expect(await namesOf("jobs", teams.shop)).toEqual([]);
    expect(await namesOf("pods", teams.shop)).toEqual([]);
    const status = await ended(teams.shop, "nightly");
    expect(status).toMatchObject({ phase: "Completed", reason: "ReportReceived", attempt: 1 });
    expect(jobsOf(status.scanId, "ADDED")).toBe(1);
    expect(await (await clientOf("shop")).read(status.scanId!)).toMatchObject({ status: "completed" });
    expect((await (await clientOf("pay")).call("GET", `/v1/scan/${status.scanId}`)).status).toBe(404);
    await until("the event of the report", async () => {
      const { items } = await getJson<{ items: { reason: string }[] }>("events", "-n", teams.shop);
      return items.some(({ reason }) => reason === "ReportReceived");
    });
    await stage.tidied();
    expect((await read(teams.shop, "nightly")).status).toEqual(status);
  });

  test.each([
    ["an account that is another team's", { ...TARGET, account: "pay" }, "AccountNotAllowed"],
    ["the scan namespace's account", { ...TARGET, account: "default" }, "AccountNotAllowed"],
  ])("that names %s is refused", async (what, spec, reason) => {
    const name = what.replaceAll(/[^a-z]+/g, "-");
    await applyIn(teams.shop, name, spec);
    expect(await ended(teams.shop, name)).toMatchObject({ phase: "Failed", reason });
  });

  test("that names a host which its namespace may not scan is refused, before anybody is charged", async () => {
    await applyIn(teams.pay, "others", { url: "https://others.test/" });
    const status = await ended(teams.pay, "others");
    expect(status).toMatchObject({ phase: "Failed", reason: "TargetNotAllowed" });
    expect((await (await clientOf("pay")).list()).total).toBe(0);
    await applyIn(teams.pay, "own", NOWHERE);
    expect(await ended(teams.pay, "own")).toMatchObject({ reason: "NotResolved" });
  });

  test("that says that the API made it, under the id of a scan of the API's that runs, is refused, and deleting it cancels nothing", async () => {
    const client = await api.clientOf();
    const id = await client.submit();
    await running(stage.namespace, id);
    await applyIn(teams.shop, id, { ...TARGET, account: "default" }, { [LABELS.managedBy]: API_NAME });
    expect(await ended(teams.shop, id)).toMatchObject({ phase: "Failed", reason: "IdentityMismatch" });
    await deleteScan(teams.shop, id);
    expect(await ended(stage.namespace, id)).toMatchObject({ phase: "Completed", attempt: 1 });
  });

  test("is cancelled by the team's account over the API", async () => {
    await applyIn(teams.shop, "stopped", TARGET);
    const { scanId } = await running(teams.shop, "stopped");
    expect((await (await clientOf("shop")).call("DELETE", `/v1/scan/${scanId}`)).status).toBe(204);
    expect(await ended(teams.shop, "stopped")).toMatchObject({ phase: "Failed", reason: "Cancelled" });
    await stage.tidied();
  });
});

describe("a Scan of a team's that is deleted while it runs", () => {
  test("is cancelled, and nothing of it is left", async () => {
    await applyIn(teams.shop, "deleted", TARGET);
    const { scanId } = await running(teams.shop, "deleted");
    await deleteScan(teams.shop, "deleted");
    await stage.tidied();
    expect((await stage.store.work.find(scanId!))?.failure?.code).toBe("cancelled");
  });

  test("while no controller runs leaves nothing once one does, and its row is ended by the API's sweep", async () => {
    await applyIn(teams.shop, "unwatched", TARGET);
    const { scanId } = await running(teams.shop, "unwatched");
    await controller.stop();
    await deleteScan(teams.shop, "unwatched");
    expect(await namesOf("jobs", stage.namespace)).not.toEqual([]);
    await age(stage.databaseUrl, 120);
    await api.stop();
    api = await startApi(stage, settings);
    const row = await until("the end of its row", async () => {
      const found = await stage.store.work.find(scanId!);
      return found?.status === "failed" && found;
    });
    expect(row.failure?.code).toBe("cancelled");
    controller = await stage.startController(settings);
    await stage.tidied();
  });

  test("in a namespace that goes with it leaves nothing, and holds up nobody", async () => {
    await applyIn(teams.pay, "last", TARGET);
    const { scanId } = await running(teams.pay, "last");
    await kubectl(["delete", "namespace", teams.pay, "--wait=true", "--timeout=120s"]);
    await stage.tidied();
    expect((await stage.store.work.find(scanId!))?.failure?.code).toBe("cancelled");
    await controller.stop();
    controller = await stage.startController(settings);
    await applyIn(teams.shop, "goes-on", TARGET);
    expect(await ended(teams.shop, "goes-on")).toMatchObject({ phase: "Completed" });
  });
});
