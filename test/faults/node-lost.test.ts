import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type ControllerProcess, resultsLost } from "../cluster/support/controller.ts";
import { getJson, kubectl } from "../cluster/support/kubectl.ts";
import { ofAttempt, scanPod, scanPods } from "../cluster/support/scan-pod.ts";
import { startFixture, type Fixture } from "../cluster/support/fixture.ts";
import { until } from "../cluster/support/until.ts";

// GLOVEBOX_CLUSTER_COMPONENT stops and starts components of the cluster. Without it, this file is skipped.
const kubelet = (action: "stop" | "start") =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_COMPONENT"]!, [action, "kubelet"]);

let fixture: Fixture;
beforeAll(async () => {
  // Slow enough to stop the node while a scan runs.
  fixture = await startFixture({ delayMs: 400 });
});
let controller: ControllerProcess;
beforeEach(async () => void (controller = await fixture.startController()));
afterEach(async () => {
  await kubelet("start");
  await controller.stop();
});
afterAll(async () => {
  await kubelet("start");
  await fixture?.close();
});

const podsOf = (attempt: number) => scanPods(fixture.namespace, ofAttempt(attempt));
const firstPod = () => scanPod(fixture.namespace, { selector: ofAttempt(1) });
interface NodeObject {
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
const nodeReady = (name: string) =>
  until(`the node ${name} to be ready`, async () => {
    const { status } = await getJson<NodeObject>("node", name);
    return status.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True");
  });

test("a pod that is force-deleted while its node is not ready costs an attempt, and the next attempt completes", async () => {
  await fixture.applyScan("deleted-by-force");
  const pod = await firstPod();
  await kubelet("stop");
  await kubectl(["delete", "pod", pod.metadata.name, "-n", fixture.namespace, "--grace-period=0", "--force"]);
  await until("a pod of the next attempt", async () => (await podsOf(2)).length > 0);
  await kubelet("start");
  const status = await fixture.finished("deleted-by-force");
  expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
  expect(status.findings).toBeGreaterThan(0);
  expect(await resultsLost(controller)).toBe(0); // without an announced report, none counts as lost
  await fixture.cleanedUp();
  await nodeReady(pod.spec.nodeName!);
});

test("a scan on a lost node is repeated on another pod without waiting for the node", async () => {
  await fixture.applyScan("node-lost");
  const pod = await firstPod();
  await kubelet("stop");
  await until("a pod of the next attempt", async () => (await podsOf(2)).length > 0, 280);
  // Without its kubelet, the first pod is not removed.
  expect((await podsOf(1)).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([expect.any(String)]);
  expect(controller.lines.join("\n")).toContain('"rule":"nodeLost"');
  await kubelet("start");
  const status = await fixture.finished("node-lost");
  expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
  await fixture.cleanedUp();
  await nodeReady(pod.spec.nodeName!);
}, 900_000);

test("a node that recovers in time costs no attempt: the report of the same Job is read later", async () => {
  await fixture.applyScan("back-in-time");
  const pod = await firstPod();
  await kubelet("stop");
  await until("the log to be unreadable", () =>
    kubectl(["logs", pod.metadata.name, "-n", fixture.namespace]).then(
      () => false,
      () => true,
    ),
  );
  await kubelet("start");
  expect(await fixture.finished("back-in-time")).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(await resultsLost(controller)).toBe(0);
});
