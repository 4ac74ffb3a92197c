import { storedReport } from "@glovebox/store/testing";
import { execFile } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { Report } from "@glovebox/contract";
import { ANNOTATIONS, type Condition, type ScanStatus } from "@glovebox/k8s";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startCanaryPods } from "./support/canary-pods.ts";
import { nodeAddresses } from "./support/cluster-addresses.ts";
import { createNamespace, getJson, kubectl } from "./support/kubectl.ts";
import { scanPod } from "./support/scan-pod.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

// A command that switches the enforcement of NetworkPolicies. Without it, this file is skipped (unenforced.test.ts).
const enforcement = (state: "off" | "on") =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_ENFORCEMENT"]!, [state]);

let fixture: Fixture;
let canaryNamespace: string;
beforeAll(async () => {
  // Slow enough for a canary to be killed while a scan runs.
  fixture = await startFixture({ delayMs: 200 });
  canaryNamespace = `${fixture.namespace}-canaries`;
  await createNamespace(canaryNamespace);
});
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await enforcement("on");
  await Promise.all([fixture.canaries.start(0), fixture.canaries.start(1)]);
  await fixture.cleanedUp();
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await enforcement("on");
  await kubectl(["delete", "namespace", canaryNamespace, "--wait=false"]);
  await fixture?.close();
});

async function startController(settings: Readonly<Record<string, string>> = {}) {
  const controller = await fixture.startController({ GLOVEBOX_ISOLATION_WAIT_SECONDS: "20", ...settings });
  stops.push(() => controller.stop());
  return controller;
}

/** The index of the canary of an attempt. */
async function canaryOf(attempt: number): Promise<number> {
  const { metadata } = await until(`the Job of attempt ${attempt}`, async () => {
    const label = `glovebox.dev/attempt=${attempt}`;
    const { items } = await getJson<{ items: Job[] }>("jobs", "-n", fixture.namespace, "-l", label);
    return items.find((job) => !job.metadata.deletionTimestamp);
  });
  const canary = JSON.parse(metadata.annotations[ANNOTATIONS.canary]!) as { endpoints: { port: number }[] };
  return fixture.canaries.ports.indexOf(canary.endpoints[0]!.port);
}
interface Job {
  readonly metadata: {
    readonly deletionTimestamp?: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

const isolation = ({ conditions = [] }: ScanStatus): Condition | undefined =>
  conditions.find(({ type }) => type === "IsolationProven");

/** Waits until the scan has ended, and asserts all the time that it is neither completed nor proven to be isolated. */
const endedUnproven = (name: string): Promise<ScanStatus> =>
  until(`the end of the scan ${name}`, async () => {
    const status = await fixture.statusOf(name);
    expect(status.phase).not.toBe("Completed");
    expect(isolation(status)?.status).not.toBe("True");
    return status.finishedAt !== undefined && status;
  });

const reportOf = async ({ scanId }: ScanStatus): Promise<Report> =>
  storedReport((await fixture.store.scans.get(fixture.account.id, scanId!))!);

const CONNECTION_ATTEMPTS_MS = 4_000;

describe("where policies are not enforced", () => {
  test("a scan whose controller restarts during the isolation check fails with isolation_not_proven, without a request to its target", async () => {
    await enforcement("off");
    const first = await startController();
    await fixture.applyScan("controller-restarted");
    await scanPod(fixture.namespace);
    await delay(CONNECTION_ATTEMPTS_MS);
    await first.kill();
    await startController();
    const status = await endedUnproven("controller-restarted");
    expect(status).toMatchObject({ phase: "Failed", failure: { code: "isolation_not_proven" }, attempt: 1 });
    expect(isolation(status)).toMatchObject({ status: "False", reason: "CanaryReachable" });
    expect(await fixture.target.requests()).toEqual([]);
  });

  test("a scan whose canaries restart during the isolation check fails because the canary is reachable", async () => {
    await enforcement("off");
    await startController();
    await fixture.applyScan("canaries-restarted");
    await scanPod(fixture.namespace);
    await delay(CONNECTION_ATTEMPTS_MS);
    await Promise.all([fixture.canaries.kill(0), fixture.canaries.kill(1)]);
    await delay(1_000);
    await Promise.all([fixture.canaries.start(0), fixture.canaries.start(1)]);
    const status = await endedUnproven("canaries-restarted");
    expect(isolation(status)).toMatchObject({ status: "False", reason: "CanaryReachable" });
  });

  test("a scan whose canaries are deleted during the isolation check is repeated with new canaries, and fails because they are reachable", async () => {
    await enforcement("off");
    const old = await startCanaryPods(canaryNamespace, ["canary-a", "canary-b"]);
    const first = await startController({ GLOVEBOX_CANARIES: old.endpoints });
    await fixture.applyScan("canaries-gone");
    await scanPod(fixture.namespace);
    await delay(CONNECTION_ATTEMPTS_MS);
    await old.delete();
    // The scanner finds the canary blocked and scans. The controller does not accept that without the canary.
    const waiting = await until("the second attempt to wait for a canary", async () => {
      const status = await fixture.statusOf("canaries-gone");
      expect(isolation(status)?.status).not.toBe("True");
      return isolation(status)?.reason === "NoCanary" && status;
    });
    expect(waiting).toMatchObject({ phase: "Pending", attempt: 2, canaryLosses: 1 });
    await first.stop();
    const fresh = await startCanaryPods(canaryNamespace, ["canary-c", "canary-d"]);
    stops.push(() => fresh.delete());
    await startController({ GLOVEBOX_CANARIES: fresh.endpoints });
    const status = await endedUnproven("canaries-gone");
    expect(status).toMatchObject({ phase: "Failed", attempt: 2 });
    expect(isolation(status)).toMatchObject({ status: "False", reason: "CanaryReachable" });
  });
});

describe("where policies are enforced", () => {
  test("a canary that dies before the isolation is proven costs an attempt, and the second attempt completes", async () => {
    await startController();
    await fixture.applyScan("lost-before");
    await fixture.canaries.kill(await canaryOf(1));
    const status = await fixture.finished("lost-before");
    expect(status).toMatchObject({ phase: "Completed", attempt: 2, canaryLosses: 1 });
    expect(isolation(status)).toMatchObject({ status: "True", reason: "CanaryBlocked" });
  });

  test("a canary that dies while the scan runs costs an attempt, and the second attempt completes", async () => {
    await startController();
    const before = (await fixture.target.requests()).length;
    await fixture.applyScan("lost-after");
    await until("a request of the scan", async () => (await fixture.target.requests()).length > before);
    await fixture.canaries.kill(await canaryOf(1));
    const status = await fixture.finished("lost-after");
    expect(status).toMatchObject({ phase: "Completed", attempt: 2, canaryLosses: 1 });
    expect(isolation(status)).toMatchObject({ status: "True", reason: "CanaryBlocked" });
  });

  test("a controller restart costs no attempt, because the canary reports that it was alive", async () => {
    const first = await startController();
    const before = (await fixture.target.requests()).length;
    await fixture.applyScan("controller-replaced");
    await until("a request of the scan", async () => (await fixture.target.requests()).length > before);
    await first.kill();
    await startController();
    const status = await fixture.finished("controller-replaced");
    expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
    const { isolation: proof } = await reportOf(status);
    const families = new Set(proof!.canaries!.map(({ address }) => address.includes(":")));
    expect(families).toEqual(new Set((await nodeAddresses()).map((address) => address.includes(":"))));
  });
});
