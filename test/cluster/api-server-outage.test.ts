import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type ApiProcess } from "./support/api.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { getJson, kubectl } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

// A command that stops and starts a component of the cluster. Without it this file is not run.
const component = (what: "stop" | "start") =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_COMPONENT"]!, [what, "kube-apiserver"]);

let stage: Stage;
let api: ApiProcess;
let kept: ReturnType<typeof keepController>;
/** As the kubelet does: a controller that ends, because it lost its lead, is started again. */
function keepController() {
  let controller: ControllerProcess | undefined;
  let isStopping = false;
  const keep = async (): Promise<void> => {
    while (!isStopping) {
      controller = await stage.startController().catch(() => undefined);
      await controller?.ended;
    }
  };
  const ended = keep();
  return {
    /** The exit code of the one that ran. */
    async stop() {
      isStopping = true;
      const code = await controller?.stop();
      await ended;
      return code;
    },
  };
}

beforeAll(async () => {
  stage = await setStage({ delayMs: 100 });
  kept = keepController();
  api = await startApi(stage);
});
afterAll(async () => {
  await component("start");
  await kept?.stop();
  await api?.stop();
  await stage?.close();
});

test("while the API server is away scans go on and are accepted, and all of them end well when it is back", async () => {
  const client = await api.clientOf();
  const running = await client.submit();
  await until("a pod that runs", async () => {
    const { items } = await getJson<{ items: { status: { phase: string } }[] }>(
      "pods",
      "-n",
      stage.namespace,
    );
    return items.some(({ status }) => status.phase === "Running");
  });
  await component("stop");
  const accepted = await client.submit();
  const cancelled = await client.submit();
  expect((await client.call("DELETE", `/v1/scan/${cancelled}`)).status).toBe(204);
  expect(await client.read(accepted)).toMatchObject({ status: "processing" });
  await component("start");

  for (const id of [running, accepted]) {
    const scan = await until(`the end of ${id}`, async () => {
      const found = await client.read(id);
      return found.status !== "processing" && found;
    });
    expect(scan).toMatchObject({ status: "completed" });
    expect(await stage.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
  }
  expect(await client.read(cancelled)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
  await stage.tidied();
});

test("a controller that is told to stop while the API server is away ends in good order", async () => {
  // The command returns when the API server has drained its watches; by then a lease may have expired.
  const stopped = component("stop");
  await until("an API server that refuses connections", () =>
    kubectl(["get", "--raw", "/version", "--request-timeout=2s"]).then(
      () => false,
      () => true,
    ),
  );
  expect(await kept.stop()).toBe(0);
  await stopped;
});
