import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type ControllerProcess, resultsLost } from "../cluster/support/controller.ts";
import { getJson, kubectl } from "../cluster/support/kubectl.ts";
import { setStage, type Stage } from "../cluster/support/stage.ts";
import { until } from "../cluster/support/until.ts";

// Parts of the cluster are stopped and started by GLOVEBOX_CLUSTER_COMPONENT; without it this file is not run.
const kubelet = (change: "stop" | "start") =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_COMPONENT"]!, [change, "kubelet"]);

let stage: Stage;
beforeAll(async () => {
  // Slow enough for the node to go while the scan is on its way.
  stage = await setStage({ delayMs: 400 });
});
let controller: ControllerProcess;
beforeEach(async () => void (controller = await stage.startController()));
afterEach(async () => {
  await kubelet("start");
  await controller.stop();
});
afterAll(async () => {
  await kubelet("start");
  await stage?.close();
});

interface Pod {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
    }[];
  };
}
const podsOf = async (attempt: number): Promise<readonly Pod[]> =>
  (await getJson<{ items: Pod[] }>("pods", "-n", stage.namespace, "-l", `glovebox.dev/attempt=${attempt}`))
    .items;
const running = (attempt: number): Promise<Pod> =>
  until(`the pod of attempt ${attempt}, running`, async () =>
    (await podsOf(attempt)).find(({ status }) => status.phase === "Running"),
  );
const nodeIsReady = (name: string) =>
  until(`the node ${name}, ready`, async () => {
    const { status } = await getJson<Pick<Pod, "status">>("node", name);
    return status.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True");
  });

test("a pod that is deleted by force while its node is silent costs an attempt, and the next delivers the report", async () => {
  await stage.applyScan("deleted-by-force");
  const pod = await running(1);
  await kubelet("stop");
  await kubectl(["delete", "pod", pod.metadata.name, "-n", stage.namespace, "--grace-period=0", "--force"]);
  await until("a pod of the next attempt", async () => (await podsOf(2)).length > 0);
  await kubelet("start");
  const status = await stage.finished("deleted-by-force");
  expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
  expect(status.findings).toBeGreaterThan(0);
  expect(await resultsLost(controller)).toBe(0); // none was announced
  await stage.tidied();
  await nodeIsReady(pod.spec.nodeName!);
});

test("a node that falls silent loses its scan to the next attempt, which does not wait for the node", async () => {
  await stage.applyScan("node-lost");
  const pod = await running(1);
  await kubelet("stop");
  await until("a pod of the next attempt", async () => (await podsOf(2)).length > 0, 280);
  // Nobody is there to end the first pod, and it is shown as long as that is so.
  expect((await podsOf(1)).map(({ metadata }) => metadata.deletionTimestamp)).toEqual([expect.any(String)]);
  expect(controller.lines.join("\n")).toContain('"rule":"nodeLost"');
  await kubelet("start");
  const status = await stage.finished("node-lost");
  expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
  await stage.tidied();
  await nodeIsReady(pod.spec.nodeName!);
}, 900_000);

test("a node that comes back in time costs nothing: the report of the same Job is read once it can be", async () => {
  await stage.applyScan("back-in-time");
  const pod = await running(1);
  await kubelet("stop");
  await until("a log that cannot be read", () =>
    kubectl(["logs", pod.metadata.name, "-n", stage.namespace]).then(
      () => false,
      () => true,
    ),
  );
  await kubelet("start");
  expect(await stage.finished("back-in-time")).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(await resultsLost(controller)).toBe(0);
});
