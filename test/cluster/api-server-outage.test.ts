import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type ApiProcess } from "./support/api.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { kubectl } from "./support/kubectl.ts";
import { scanPod } from "./support/scan-pod.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

// A command that stops and starts components of the cluster. Without it, this file is skipped.
const component = (action: "stop" | "start") =>
  promisify(execFile)(process.env["GLOVEBOX_CLUSTER_COMPONENT"]!, [action, "kube-apiserver"]);

let fixture: Fixture;
let api: ApiProcess;
let supervisor: ReturnType<typeof superviseController>;
/** Restarts the controller when it exits because it lost its Lease, like a kubelet. */
function superviseController() {
  let controller: ControllerProcess | undefined;
  let isStopping = false;
  const restart = async (): Promise<void> => {
    while (!isStopping) {
      controller = await fixture.startController().catch(() => undefined);
      await controller?.ended;
    }
  };
  const ended = restart();
  return {
    /** Resolves with the exit code of the controller. */
    async stop() {
      isStopping = true;
      const code = await controller?.stop();
      await ended;
      return code;
    },
  };
}

beforeAll(async () => {
  fixture = await startFixture({ delayMs: 100 });
  supervisor = superviseController();
  api = await startApi(fixture);
});
afterAll(async () => {
  await component("start");
  await supervisor?.stop();
  await api?.stop();
  await fixture?.close();
});

test("during an outage of the API server, scans run and are accepted, and all complete after it", async () => {
  const client = await api.clientOf();
  const running = await client.submit();
  await scanPod(fixture.namespace);
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
    expect(await fixture.finished(id)).toMatchObject({ phase: "Completed", attempt: 1 });
  }
  expect(await client.read(cancelled)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
  await fixture.cleanedUp();
});

test("a controller that gets SIGTERM during an outage of the API server exits with 0", async () => {
  // The command returns after the API server has closed its watches. By then the Lease may have expired.
  const stopped = component("stop");
  await until("an API server that refuses connections", () =>
    kubectl(["get", "--raw", "/version", "--request-timeout=2s"]).then(
      () => false,
      () => true,
    ),
  );
  expect(await supervisor.stop()).toBe(0);
  await stopped;
});
