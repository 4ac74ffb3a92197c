import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type ApiProcess } from "./support/api.ts";
import { kubectl, namesOf } from "./support/kubectl.ts";
import { scanPod } from "./support/scan-pod.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
let api: ApiProcess;
beforeAll(async () => {
  fixture = await startFixture({ delayMs: 100 });
  api = await startApi(fixture);
});
afterAll(async () => {
  await api?.stop();
  await fixture?.close();
});

test("a Scan deleted while no controller runs is recorded as cancelled, and its Job, pod and policy are deleted", async () => {
  const client = await api.clientOf();
  const controller = await fixture.startController();
  await fixture.applyScan("deleted");
  await scanPod(fixture.namespace);
  const { scanId } = await fixture.statusOf("deleted");
  await controller.kill();
  await kubectl(["delete", "scans.glovebox.dev", "deleted", "-n", fixture.namespace]);
  expect(await client.read(scanId!)).toMatchObject({ status: "processing" });

  const scan = await until("the end in the database", async () => {
    const found = await client.read(scanId!);
    return found.status === "failed" && found;
  });
  expect(scan.error).toEqual({
    code: "cancelled",
    message: "The scan was cancelled. Its Scan resource was deleted.",
  });
  expect(await (await fetch(`${api.url}/metrics`)).text()).toContain(
    'glovebox_sweep_scans_total{outcome="cancelled"} 1',
  );
  await fixture.cleanedUp();
  expect(await namesOf("scans.glovebox.dev", fixture.namespace)).toEqual([]);

  // The next controller finds nothing to do for it, and runs other scans.
  await fixture.startController();
  await fixture.applyScan("next");
  expect(await fixture.finished("next")).toMatchObject({ phase: "Completed" });
  expect(await client.read(scanId!)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
});
