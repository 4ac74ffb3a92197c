import { API_NAME, API_VERSION, KIND, LABELS, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import { age } from "@glovebox/store/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { watchJobs, type JobWatch } from "./support/job-watch.ts";
import { apply, getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { HOST, startFixture, SPEC_URL, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

const TARGET = { url: `https://${HOST}/v1`, specUrl: SPEC_URL };
const UNRESOLVABLE = { url: "https://nowhere.example/" }; // the name does not exist: the scan ends without a Job

let fixture: Fixture;
let teams: { readonly shop: string; readonly pay: string };
let settings: Record<string, string>;
let controller: ControllerProcess;
let api: ApiProcess;
let jobs: JobWatch;
beforeAll(async () => {
  fixture = await startFixture({ delayMs: 100 });
  teams = { shop: `${fixture.namespace}-shop`, pay: `${fixture.namespace}-pay` };
  await fixture.store.accounts.declare({ name: "shop", plan: "enterprise" });
  await fixture.store.accounts.declare({ name: "pay", plan: "enterprise" });
  await apply(
    team(teams.shop, { "glovebox.dev/account": "shop" }),
    team(teams.pay, { "glovebox.dev/account": "pay", "glovebox.dev/targets": "pay.example, *.example" }),
  );
  settings = {
    GLOVEBOX_SCAN_NAMESPACES: Object.values(teams).join(),
    GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST: "10",
  };
  jobs = watchJobs(fixture.namespace);
  controller = await fixture.startController(settings);
  api = await startApi(fixture, settings);
});
afterAll(async () => {
  await jobs?.stop();
  await api?.stop();
  for (const name of Object.values(teams ?? {}))
    await kubectl(["delete", "namespace", name, "--ignore-not-found", "--wait=false"]);
  await fixture?.close();
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
const statusWhen = (namespace: string, name: string, matches: (status: ScanStatus) => unknown) =>
  until(`the status of ${namespace}/${name}`, async () => {
    const { status } = await read(namespace, name);
    return status && matches(status) ? status : undefined;
  });
const ended = (namespace: string, name: string) =>
  statusWhen(namespace, name, ({ finishedAt }) => finishedAt);
const running = (namespace: string, name: string) =>
  statusWhen(namespace, name, ({ phase }) => phase === "Running");
const clientOf = async (name: string): Promise<ApiClient> =>
  api.clientOf(await fixture.store.accounts.declare({ name, plan: "enterprise" }));
const jobsOf = (scanId: string | undefined, type: string): number =>
  jobs.changes.filter((job) => job.scanId === scanId && job.type === type).length;
const deleteScan = (namespace: string, name: string) =>
  kubectl(["delete", "scans.glovebox.dev", name, "-n", namespace]);

describe("a Scan in a team namespace", () => {
  test("runs in the scan namespace, is charged to the team's account, and has its status and events in the team namespace", async () => {
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
    await fixture.cleanedUp();
    expect((await read(teams.shop, "nightly")).status).toEqual(status);
  });

  test.each([
    ["the account of another team", { ...TARGET, account: "pay" }, "AccountNotAllowed"],
    ["the account of the scan namespace", { ...TARGET, account: "default" }, "AccountNotAllowed"],
  ])("a Scan in a team namespace that names %s is rejected", async (what, spec, reason) => {
    const name = what.replaceAll(/[^a-z]+/g, "-");
    await applyIn(teams.shop, name, spec);
    expect(await ended(teams.shop, name)).toMatchObject({ phase: "Failed", reason });
  });

  test("a Scan in a team namespace of a host that its namespace may not scan is rejected, without a charge", async () => {
    await applyIn(teams.pay, "others", { url: "https://others.test/" });
    const status = await ended(teams.pay, "others");
    expect(status).toMatchObject({ phase: "Failed", reason: "TargetNotAllowed" });
    expect((await (await clientOf("pay")).list()).total).toBe(0);
    await applyIn(teams.pay, "own", UNRESOLVABLE);
    expect(await ended(teams.pay, "own")).toMatchObject({ reason: "NotResolved" });
  });

  test("a Scan in a team namespace with the id of a running scan and the label of the API is rejected, and deleting it does not cancel that scan", async () => {
    const client = await api.clientOf();
    const id = await client.submit();
    await running(fixture.namespace, id);
    await applyIn(teams.shop, id, { ...TARGET, account: "default" }, { [LABELS.managedBy]: API_NAME });
    expect(await ended(teams.shop, id)).toMatchObject({ phase: "Failed", reason: "IdentityMismatch" });
    await deleteScan(teams.shop, id);
    expect(await ended(fixture.namespace, id)).toMatchObject({ phase: "Completed", attempt: 1 });
  });

  test("can be cancelled through the API with a key of the team's account", async () => {
    await applyIn(teams.shop, "stopped", TARGET);
    const { scanId } = await running(teams.shop, "stopped");
    expect((await (await clientOf("shop")).call("DELETE", `/v1/scan/${scanId}`)).status).toBe(204);
    expect(await ended(teams.shop, "stopped")).toMatchObject({ phase: "Failed", reason: "Cancelled" });
    await fixture.cleanedUp();
  });
});

describe("a running Scan in a team namespace that is deleted", () => {
  test("a running Scan in a team namespace that is deleted is cancelled, and its Job, pod and policy are deleted", async () => {
    await applyIn(teams.shop, "deleted", TARGET);
    const { scanId } = await running(teams.shop, "deleted");
    await deleteScan(teams.shop, "deleted");
    await fixture.cleanedUp();
    expect((await fixture.store.work.find(scanId!))?.failure?.code).toBe("cancelled");
  });

  test("while no controller runs is recorded as cancelled by the API's sweep, and its objects are deleted by the next controller", async () => {
    await applyIn(teams.shop, "unwatched", TARGET);
    const { scanId } = await running(teams.shop, "unwatched");
    await controller.stop();
    await deleteScan(teams.shop, "unwatched");
    expect(await namesOf("jobs", fixture.namespace)).not.toEqual([]);
    await age(fixture.databaseUrl, 120);
    await api.stop();
    api = await startApi(fixture, settings);
    const row = await until("the end in the database", async () => {
      const found = await fixture.store.work.find(scanId!);
      return found?.status === "failed" && found;
    });
    expect(row.failure?.code).toBe("cancelled");
    controller = await fixture.startController(settings);
    await fixture.cleanedUp();
  });

  test("a running Scan in a team namespace that is deleted with its namespace is cancelled, its objects are deleted, and other namespaces are not affected", async () => {
    await applyIn(teams.pay, "last", TARGET);
    const { scanId } = await running(teams.pay, "last");
    await kubectl(["delete", "namespace", teams.pay, "--wait=true", "--timeout=120s"]);
    await fixture.cleanedUp();
    expect((await fixture.store.work.find(scanId!))?.failure?.code).toBe("cancelled");
    await controller.stop();
    controller = await fixture.startController(settings);
    await applyIn(teams.shop, "other-namespace", TARGET);
    expect(await ended(teams.shop, "other-namespace")).toMatchObject({ phase: "Completed" });
  });
});
