import { afterAll, beforeAll, expect, test } from "vitest";
import { startApi, type ApiProcess } from "./support/api.ts";
import { getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

let stage: Stage;
let api: ApiProcess;
beforeAll(async () => {
  stage = await setStage({ delayMs: 100 });
  api = await startApi(stage);
});
afterAll(async () => {
  await api?.stop();
  await stage?.close();
});

test("a Scan that is deleted while no controller runs ends as cancelled, and its target is left alone", async () => {
  const client = await api.clientOf();
  const controller = await stage.startController();
  await stage.applyScan("deleted");
  await until("a pod that runs", async () => {
    const { items } = await getJson<{ items: { status: { phase: string } }[] }>(
      "pods",
      "-n",
      stage.namespace,
    );
    return items.some(({ status }) => status.phase === "Running");
  });
  const { scanId } = await stage.statusOf("deleted");
  await controller.kill();
  await kubectl(["delete", "scans.glovebox.dev", "deleted", "-n", stage.namespace]);
  expect(await client.read(scanId!)).toMatchObject({ status: "processing" });

  const scan = await until("the end on record", async () => {
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
  await stage.tidied();
  expect(await namesOf("scans.glovebox.dev", stage.namespace)).toEqual([]);

  // The next controller finds nothing of it, and goes about the scans that there are.
  await stage.startController();
  await stage.applyScan("next");
  expect(await stage.finished("next")).toMatchObject({ phase: "Completed" });
  expect(await client.read(scanId!)).toMatchObject({ status: "failed", error: { code: "cancelled" } });
});
