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
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

// A command that switches the enforcement of NetworkPolicies; without it this file is not run (unenforced.test.ts).
const enforcement = (state: "off" | "on") =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_ENFORCEMENT"]!, [state]);

let stage: Stage;
let around: string;
beforeAll(async () => {
  // Slow enough for a canary to die while a scan is on its way.
  stage = await setStage({ delayMs: 200 });
  around = `${stage.namespace}-around`;
  await createNamespace(around);
});
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await enforcement("on");
  await Promise.all([stage.canaries.start(0), stage.canaries.start(1)]);
  await stage.tidied();
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await enforcement("on");
  await kubectl(["delete", "namespace", around, "--wait=false"]);
  await stage?.close();
});

async function startController(settings: Readonly<Record<string, string>> = {}) {
  const controller = await stage.startController({ GLOVEBOX_ISOLATION_WAIT_SECONDS: "20", ...settings });
  stops.push(() => controller.stop());
  return controller;
}

/** The canary that the attempt was started beside, by its place. */
async function canaryOf(attempt: number): Promise<number> {
  const { metadata } = await until(`the Job of attempt ${attempt}`, async () => {
    const label = `glovebox.dev/attempt=${attempt}`;
    const { items } = await getJson<{ items: Job[] }>("jobs", "-n", stage.namespace, "-l", label);
    return items.find((job) => !job.metadata.deletionTimestamp);
  });
  const note = JSON.parse(metadata.annotations[ANNOTATIONS.canary]!) as { endpoints: { port: number }[] };
  return stage.canaries.ports.indexOf(note.endpoints[0]!.port);
}
interface Job {
  readonly metadata: {
    readonly deletionTimestamp?: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
}

const isolation = ({ conditions = [] }: ScanStatus): Condition | undefined =>
  conditions.find(({ type }) => type === "IsolationProven");

/** Its end, if at no time on the way its isolation was said to be proven, or it to be completed. */
const endedUnproven = (name: string): Promise<ScanStatus> =>
  until(`the end of the scan ${name}`, async () => {
    const status = await stage.statusOf(name);
    expect(status.phase).not.toBe("Completed");
    expect(isolation(status)?.status).not.toBe("True");
    return status.finishedAt !== undefined && status;
  });

const reportOf = async ({ scanId }: ScanStatus): Promise<Report> =>
  JSON.parse((await stage.store.scans.get(stage.account.id, scanId!))!.reportJson!) as Report;

const SOME_ATTEMPTS_MS = 4_000;

describe("where policies are not enforced", () => {
  test("a scan whose controller is restarted while it tries the canary is not proven to be sealed", async () => {
    await enforcement("off");
    const first = await startController();
    await stage.applyScan("controller-restarted");
    await scanPod(stage.namespace);
    await delay(SOME_ATTEMPTS_MS);
    await first.kill();
    await startController();
    const status = await endedUnproven("controller-restarted");
    expect(status).toMatchObject({ phase: "Failed", failure: { code: "isolation_not_proven" }, attempt: 1 });
    expect(isolation(status)).toMatchObject({ status: "False", reason: "CanaryReachable" });
    expect(await stage.target.requests()).toEqual([]);
  });

  test("nor is one whose canaries are killed and started again meanwhile", async () => {
    await enforcement("off");
    await startController();
    await stage.applyScan("canaries-restarted");
    await scanPod(stage.namespace);
    await delay(SOME_ATTEMPTS_MS);
    await Promise.all([stage.canaries.kill(0), stage.canaries.kill(1)]);
    await delay(1_000);
    await Promise.all([stage.canaries.start(0), stage.canaries.start(1)]);
    const status = await endedUnproven("canaries-restarted");
    expect(isolation(status)).toMatchObject({ status: "False", reason: "CanaryReachable" });
  });

  test("nor is one whose canaries are gone for good: it is repeated beside fresh ones, which tell the truth", async () => {
    await enforcement("off");
    const old = await startCanaryPods(around, ["canary-a", "canary-b"]);
    const first = await startController({ GLOVEBOX_CANARIES: old.places });
    await stage.applyScan("canaries-gone");
    await scanPod(stage.namespace);
    await delay(SOME_ATTEMPTS_MS);
    await old.delete();
    // The scanner takes the silence for its seal, and scans; nobody takes its word for it.
    const waiting = await until("a second attempt that waits for a canary", async () => {
      const status = await stage.statusOf("canaries-gone");
      expect(isolation(status)?.status).not.toBe("True");
      return isolation(status)?.reason === "NoCanary" && status;
    });
    expect(waiting).toMatchObject({ phase: "Pending", attempt: 2, canaryLosses: 1 });
    await first.stop();
    const fresh = await startCanaryPods(around, ["canary-c", "canary-d"]);
    stops.push(() => fresh.delete());
    await startController({ GLOVEBOX_CANARIES: fresh.places });
    const status = await endedUnproven("canaries-gone");
    expect(status).toMatchObject({ phase: "Failed", attempt: 2 });
    expect(isolation(status)).toMatchObject({ status: "False", reason: "CanaryReachable" });
  });
});

describe("where policies are enforced", () => {
  test("a canary that dies before the proof costs its scan an attempt, and the next one completes", async () => {
    await startController();
    await stage.applyScan("lost-before");
    await stage.canaries.kill(await canaryOf(1));
    const status = await stage.finished("lost-before");
    expect(status).toMatchObject({ phase: "Completed", attempt: 2, canaryLosses: 1 });
    expect(isolation(status)).toMatchObject({ status: "True", reason: "CanaryBlocked" });
  });

  test("and so does one that dies after the proof, while the scan runs", async () => {
    await startController();
    const before = (await stage.target.requests()).length;
    await stage.applyScan("lost-after");
    await until("a request of the scan", async () => (await stage.target.requests()).length > before);
    await stage.canaries.kill(await canaryOf(1));
    const status = await stage.finished("lost-after");
    expect(status).toMatchObject({ phase: "Completed", attempt: 2, canaryLosses: 1 });
    expect(isolation(status)).toMatchObject({ status: "True", reason: "CanaryBlocked" });
  });

  test("a controller that is restarted costs nothing: the canary itself says that it lived", async () => {
    const first = await startController();
    const before = (await stage.target.requests()).length;
    await stage.applyScan("controller-replaced");
    await until("a request of the scan", async () => (await stage.target.requests()).length > before);
    await first.kill();
    await startController();
    const status = await stage.finished("controller-replaced");
    expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
    const { isolation: proof } = await reportOf(status);
    const families = new Set(proof!.canaries!.map(({ address }) => address.includes(":")));
    expect(families).toEqual(new Set((await nodeAddresses()).map((address) => address.includes(":"))));
  });
});
