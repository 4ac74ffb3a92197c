import { scanIdOf, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reconciling } from "./testing/reconciling.ts";
import { report, scanResource } from "./testing/worlds.ts";

const NAME = "shop";
let stage: Awaited<ReturnType<typeof reconciling>>;
let id: string;
/** A scan that runs. */
beforeEach(async () => {
  stage = await reconciling();
  const { metadata, ...scan } = scanResource();
  const spec = { url: "https://api.shop.example", account: "shop" };
  const body = { ...scan, spec, metadata: { ...metadata, name: NAME } };
  id = scanIdOf(stage.scans.create(body as never) as unknown as ScanResource);
  for (const _ of [1, 2]) await stage.look(NAME);
});
afterEach(() => stage[Symbol.asyncDispose]());
const status = (): ScanStatus => stage.scans.get(NAME)["status"] ?? {};

test("a scan whose row a client deletes as soon as it has ended is completed", async () => {
  stage.jobs.merge(`${id}-1`, {
    status: { conditions: [{ type: "Complete", status: "True" }] },
  });
  stage.state.report = { attempt: 1, how: "delivered", outcome: { status: "completed", report } };
  const { record } = stage.store.work;
  stage.store.work.record = async (...args) => {
    const isRecorded = await record(...args);
    stage.store.rows.delete(id);
    return isRecorded;
  };
  expect(await stage.look(NAME)).toEqual(["readReport", "attestCanary", "done", "reportRecorded"]);
  expect(status()).toMatchObject({ phase: "Completed", score: 88, grade: "B" });
});

test("a Scan that somebody's finalizer keeps loses its Job as soon as it is deleted", async () => {
  stage.scans.merge(NAME, { metadata: { deletionTimestamp: "2026-03-01T00:00:09Z" } } as never);
  expect(await stage.look(NAME)).toEqual(["scanDeleted", "cancelled"]);
  expect([stage.jobs.objects.size, stage.policies.objects.size]).toEqual([0, 0]);
  expect(stage.store.rows.get(id)?.failure?.code).toBe("cancelled");
  expect(status()).toMatchObject({ phase: "Failed", reason: "Cancelled" });
});
