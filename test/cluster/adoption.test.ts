import { API_VERSION, KIND } from "@glovebox/k8s";
import { PLANS } from "@glovebox/contract";
import type { Account } from "@glovebox/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { watchJobs, type JobWatch } from "./support/job-watch.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { HOST, startFixture, type Fixture } from "./support/fixture.ts";

const FAILED = [
  { type: "Failed", status: "True" },
  { type: "Stalled", status: "True" },
];
const UNRESOLVABLE = "https://nowhere.example/"; // the name does not exist: the scan ends without a Job

let fixture: Fixture;
let api: ApiProcess;
let shop: Account;
let controller: ControllerProcess;
let jobs: JobWatch;
let shopClient: ApiClient;
let defaultClient: ApiClient;
beforeAll(async () => {
  fixture = await startFixture();
  shop = await fixture.store.accounts.declare({ name: "shop", plan: "enterprise" });
  await kubectl(["annotate", "namespace", fixture.namespace, "glovebox.dev/account=shop"]);
  jobs = watchJobs(fixture.namespace);
  controller = await fixture.startController();
  api = await startApi(fixture);
  shopClient = await api.clientOf(shop);
  defaultClient = await api.clientOf();
});
afterAll(async () => {
  await jobs?.stop();
  await api?.stop();
  await fixture?.close();
});

const hadJob = (scanId: string | undefined) => jobs.changes.some((job) => job.scanId === scanId);

describe("a Scan applied with kubectl", () => {
  test("a Scan applied with kubectl is charged to the account of its namespace, and no other account can read it", async () => {
    await fixture.applyScan("of-namespace-account", undefined, null);
    const { scanId, score } = await fixture.finished("of-namespace-account");
    expect(hadJob(scanId)).toBe(true);
    expect(await shopClient.read(scanId!)).toMatchObject({ id: scanId, status: "completed", score });
    expect(await shopClient.list()).toMatchObject({ total: 1, scans: [{ id: scanId, status: "completed" }] });
    expect((await defaultClient.call("GET", `/v1/scan/${scanId}`)).status).toBe(404);
    expect((await defaultClient.list()).total).toBe(0);
  });

  test("a Scan applied with kubectl is charged to the account in its spec instead of the account of its namespace", async () => {
    await fixture.applyScan("of-default", UNRESOLVABLE);
    const { scanId, failure } = await fixture.finished("of-default");
    expect(failure?.code).toBe("name_not_resolved");
    expect(await defaultClient.read(scanId!)).toMatchObject({ status: "failed", error: failure });
    expect((await shopClient.call("GET", `/v1/scan/${scanId}`)).status).toBe(404);
  });

  test("a Scan applied with kubectl is rejected with a reason and without a Job when the quota of its account is used up, like a POST", async () => {
    const limited = await fixture.store.accounts.declare({ name: "limited", plan: "free" });
    const { scansPerMonth } = PLANS.free;
    for (let n = 1; n <= scansPerMonth; n++) {
      await fixture.applyScan(`limited-${n}`, UNRESOLVABLE, "limited");
      await fixture.finished(`limited-${n}`);
    }
    await fixture.applyScan("one-too-many", undefined, "limited");
    const status = await fixture.finished("one-too-many");
    expect(status).toMatchObject({
      phase: "Failed",
      conditions: [
        {
          type: "Accepted",
          status: "False",
          reason: "QuotaExhausted",
          message: `The plan free has ${scansPerMonth} scans a month.`,
        },
        ...FAILED,
      ],
    });
    expect(hadJob(status.scanId)).toBe(false);
    const limitedClient = await api.clientOf(limited);
    expect((await limitedClient.list()).total).toBe(scansPerMonth);
    const body = { url: `https://${HOST}/` };
    expect((await limitedClient.call("POST", "/v1/scan", { body })).status).toBe(429);
  });

  test("a Scan applied with kubectl of an existing account that its namespace may not use is rejected, and the account is not charged", async () => {
    const other = await fixture.store.accounts.declare({ name: "other", plan: "enterprise" });
    await apply({
      apiVersion: API_VERSION,
      kind: KIND,
      metadata: { name: "of-other-account", namespace: fixture.namespace },
      spec: { url: UNRESOLVABLE, account: "other" },
    });
    const status = await fixture.finished("of-other-account");
    expect(status.conditions).toMatchObject([
      {
        type: "Accepted",
        status: "False",
        reason: "AccountNotAllowed",
        message: expect.stringContaining(`glovebox.dev/accounts of the namespace ${fixture.namespace}`),
      },
      ...FAILED,
    ]);
    expect((await fixture.store.scans.list(other.id, { limit: 1, offset: 0 })).total).toBe(0);
  });

  test("a Scan applied with kubectl of an unknown account is rejected with a reason, and is not recorded", async () => {
    await fixture.applyScan("of-unknown-account", undefined, "unknown");
    const status = await fixture.finished("of-unknown-account");
    expect(status.conditions).toMatchObject([
      {
        type: "Accepted",
        status: "False",
        reason: "UnknownAccount",
        message: expect.stringContaining("unknown"),
      },
      ...FAILED,
    ]);
    expect(hadJob(status.scanId)).toBe(false);
    expect(await fixture.store.work.find(status.scanId!)).toBeUndefined();
  });
});

describe("a Scan whose record was deleted", () => {
  test("a Scan whose record was deleted is not scanned or charged again when it changes or the controller restarts", async () => {
    await fixture.applyScan("deleted");
    const before = await fixture.finished("deleted");
    await fixture.cleanedUp();
    expect((await defaultClient.call("DELETE", `/v1/scan/${before.scanId}`)).status).toBe(204);
    const { total } = await defaultClient.list();
    const requests = (await fixture.target.requests()).length;

    await kubectl(["annotate", "scans.glovebox.dev", "deleted", "-n", fixture.namespace, "team=shop"]);
    await controller.stop();
    await fixture.startController();
    // When another scan has ended, the controller has also reconciled the deleted one.
    await fixture.applyScan("after-deleted", UNRESOLVABLE);
    await fixture.finished("after-deleted");
    expect(await fixture.statusOf("deleted")).toEqual(before);
    expect((await defaultClient.list()).total).toBe(total + 1);
    expect((await fixture.target.requests()).length).toBe(requests);
    expect((await defaultClient.call("GET", `/v1/scan/${before.scanId}`)).status).toBe(404);
  });
});
