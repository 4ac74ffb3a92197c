import { API_VERSION, KIND } from "@glovebox/k8s";
import { PLANS } from "@glovebox/contract";
import type { Account } from "@glovebox/store";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { startApi, type ApiClient, type ApiProcess } from "./support/api.ts";
import { watchJobs, type JobWatch } from "./support/job-watch.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { HOST, setStage, type Stage } from "./support/stage.ts";

const FAILED = [
  { type: "Failed", status: "True" },
  { type: "Stalled", status: "True" },
];
const NOWHERE = "https://nowhere.example/"; // a name of nobody's: the scan ends without a Job

let stage: Stage;
let api: ApiProcess;
let house: Account;
let controller: ControllerProcess;
let jobs: JobWatch;
let ofHouse: ApiClient;
let ofDefault: ApiClient;
beforeAll(async () => {
  stage = await setStage();
  house = await stage.store.accounts.declare({ name: "house", plan: "enterprise" });
  await kubectl(["annotate", "namespace", stage.namespace, "glovebox.dev/account=house"]);
  jobs = watchJobs(stage.namespace);
  controller = await stage.startController();
  api = await startApi(stage);
  ofHouse = await api.clientOf(house);
  ofDefault = await api.clientOf();
});
afterAll(async () => {
  await jobs?.stop();
  await api?.stop();
  await stage?.close();
});

const hadJob = (scanId: string | undefined) => jobs.changes.some((job) => job.scanId === scanId);

describe("a Scan applied by hand", () => {
  test("is charged to the account of its namespace, and visible to that account alone", async () => {
    await stage.applyScan("of-the-house", undefined, null);
    const { scanId, score } = await stage.finished("of-the-house");
    expect(hadJob(scanId)).toBe(true);
    expect(await ofHouse.read(scanId!)).toMatchObject({ id: scanId, status: "completed", score });
    expect(await ofHouse.list()).toMatchObject({ total: 1, scans: [{ id: scanId, status: "completed" }] });
    expect((await ofDefault.call("GET", `/v1/scan/${scanId}`)).status).toBe(404);
    expect((await ofDefault.list()).total).toBe(0);
  });

  test("is charged to the account that its spec names, whatever the namespace says", async () => {
    await stage.applyScan("of-default", NOWHERE);
    const { scanId, failure } = await stage.finished("of-default");
    expect(failure?.code).toBe("name_not_resolved");
    expect(await ofDefault.read(scanId!)).toMatchObject({ status: "failed", error: failure });
    expect((await ofHouse.call("GET", `/v1/scan/${scanId}`)).status).toBe(404);
  });

  test("is refused once its account has used its scans up, with a reason and without a Job, as a POST is", async () => {
    const thrifty = await stage.store.accounts.declare({ name: "thrifty", plan: "free" });
    const { scansPerMonth } = PLANS.free;
    for (let n = 1; n <= scansPerMonth; n++) {
      await stage.applyScan(`thrifty-${n}`, NOWHERE, "thrifty");
      await stage.finished(`thrifty-${n}`);
    }
    await stage.applyScan("one-too-many", undefined, "thrifty");
    const status = await stage.finished("one-too-many");
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
    const ofThrifty = await api.clientOf(thrifty);
    expect((await ofThrifty.list()).total).toBe(scansPerMonth);
    const body = { url: `https://${HOST}/` };
    expect((await ofThrifty.call("POST", "/v1/scan", { body })).status).toBe(429);
  });

  test("of an account that its namespace may not use is refused, though there is such an account, and it is not charged", async () => {
    const rich = await stage.store.accounts.declare({ name: "rich", plan: "enterprise" });
    await apply({
      apiVersion: API_VERSION,
      kind: KIND,
      metadata: { name: "of-the-rich", namespace: stage.namespace },
      spec: { url: NOWHERE, account: "rich" },
    });
    const status = await stage.finished("of-the-rich");
    expect(status.conditions).toMatchObject([
      {
        type: "Accepted",
        status: "False",
        reason: "AccountNotAllowed",
        message: expect.stringContaining(`glovebox.dev/accounts of the namespace ${stage.namespace}`),
      },
      ...FAILED,
    ]);
    expect((await stage.store.scans.list(rich.id, { limit: 1, offset: 0 })).total).toBe(0);
  });

  test("of an account that nobody knows is refused with a reason, and is nobody's", async () => {
    await stage.applyScan("of-nobody", undefined, "nobody");
    const status = await stage.finished("of-nobody");
    expect(status.conditions).toMatchObject([
      {
        type: "Accepted",
        status: "False",
        reason: "UnknownAccount",
        message: expect.stringContaining("nobody"),
      },
      ...FAILED,
    ]);
    expect(hadJob(status.scanId)).toBe(false);
    expect(await stage.store.work.find(status.scanId!)).toBeUndefined();
  });
});

describe("an adopted scan whose row was erased", () => {
  test("is neither scanned nor charged again, whatever happens to its Scan", async () => {
    await stage.applyScan("erased");
    const before = await stage.finished("erased");
    await stage.tidied();
    expect((await ofDefault.call("DELETE", `/v1/scan/${before.scanId}`)).status).toBe(204);
    const { total } = await ofDefault.list();
    const requests = (await stage.target.requests()).length;

    await kubectl(["annotate", "scans.glovebox.dev", "erased", "-n", stage.namespace, "team=shop"]);
    await controller.stop();
    await stage.startController();
    // Another scan goes its whole way: by then the erased one was looked at, too.
    await stage.applyScan("after-the-erased", NOWHERE);
    await stage.finished("after-the-erased");
    expect(await stage.statusOf("erased")).toEqual(before);
    expect((await ofDefault.list()).total).toBe(total + 1);
    expect((await stage.target.requests()).length).toBe(requests);
    expect((await ofDefault.call("GET", `/v1/scan/${before.scanId}`)).status).toBe(404);
  });
});
