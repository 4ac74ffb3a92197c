import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { until } from "./support/until.ts";

// An aggregated API that the controller looks for, whose backend does not exist: the API server of a network plugin that is being
// upgraded or was half removed.
const GROUP = "projectcalico.org";
const NAME = `v3.${GROUP}`;
const apiService = {
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name: NAME },
  spec: {
    group: GROUP,
    version: "v3",
    groupPriorityMinimum: 1500,
    versionPriority: 20,
    service: { name: "missing", namespace: "default" },
    insecureSkipTLSVerify: true,
  },
};

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
const removeApi = () => kubectl(["delete", "apiservice", NAME, "--ignore-not-found"]);
afterEach(removeApi);
afterAll(async () => {
  await removeApi();
  await fixture?.close();
});

async function breakApi(): Promise<void> {
  await apply(apiService);
  await kubectl(["wait", `apiservice/${NAME}`, "--for=condition=Available=False", "--timeout=60s"]);
}
const unreadMetric = async ({ url }: ControllerProcess): Promise<string | undefined> => {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return /policies_unread\{resource="([^"]+)"\} 1$/m.exec(metrics)?.[1];
};
const waits = (name: string) =>
  until("the scan to wait for the API of policies", async () => {
    const status = await fixture.statusOf(name);
    return status.reason === "PolicyApiUnavailable" && status;
  });

test("a controller that starts while an API of policies has no backend leads, lets scans wait for it, and starts them afterwards", async () => {
  await breakApi();
  const controller = await fixture.startController();
  await fixture.applyScan("waiting");
  const { message, phase } = await waits("waiting");
  expect(phase).toBe("Pending");
  expect(message).toContain(`GET /apis/${GROUP}/v3: 503`);
  const { items } = await getJson<{ items: object[] }>("jobs", "-n", fixture.namespace);
  expect(items).toEqual([]);
  expect(await unreadMetric(controller)).toBe(GROUP);

  // Other work continues.
  await fixture.applyScan("refused", { url: "https://user:password@api.shop.example/" });
  expect(await fixture.finished("refused")).toMatchObject({ reason: "InvalidTarget" });
  await kubectl(["delete", "scans.glovebox.dev", "refused", "-n", fixture.namespace]);

  await removeApi();
  expect(await fixture.finished("waiting")).toMatchObject({ phase: "Completed", attempt: 1 });
  expect(await unreadMetric(controller)).toBeUndefined();
  expect(await controller.stop()).toBe(0);
});

test("a scan that runs when a new controller finds such an API has its report read afterwards", async () => {
  const before = await fixture.startController();
  await fixture.applyScan("running");
  await until("its Job", async () => (await fixture.statusOf("running")).phase === "Running");
  await breakApi();
  await before.stop();
  const after = await fixture.startController();
  const status = await waits("running");
  expect(status).toMatchObject({ phase: "Running", attempt: 1 });
  await removeApi();
  expect(await fixture.finished("running")).toMatchObject({
    phase: "Completed",
    reason: "ReportReceived",
    attempt: 1,
  });
  expect(await after.stop()).toBe(0);
});
