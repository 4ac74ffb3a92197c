import { scanIdOf, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reconciling } from "./testing/reconciling.ts";
import { scanResource } from "./testing/worlds.ts";

const NAME = "shop";
let stage: Awaited<ReturnType<typeof reconciling>>;
beforeEach(async () => {
  stage = await reconciling();
});
afterEach(() => stage[Symbol.asyncDispose]());

/** A Scan in active mode, applied by hand. */
function applied(): ScanResource {
  const { metadata, ...scan } = scanResource();
  const spec = { url: "https://api.shop.example", account: "shop", mode: "active" };
  const body = { ...scan, spec, metadata: { ...metadata, name: NAME } };
  return stage.scans.create(body as never) as unknown as ScanResource;
}
const status = (): ScanStatus => stage.scans.get(NAME)["status"] ?? {};
const hasFailed = { conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }] };

test("a Scan in active mode of an account that may not is refused, and nobody is charged", async () => {
  applied();
  await stage.look(NAME);
  expect(status()).toMatchObject({
    phase: "Failed",
    reason: "ActiveModeNotAllowed",
    message:
      'The account "shop" may not scan in active mode: an administrator of the service has to allow it.',
  });
  expect(stage.store.adopted).toEqual([]);
});

test("a Scan in active mode of an account that may is run in this mode", async () => {
  const id = scanIdOf(applied());
  stage.store.mayWrite = true;
  for (const _ of [1, 2]) await stage.look(NAME);
  expect(JSON.stringify(stage.jobs.get(`${id}-1`))).toContain('\\"mode\\":\\"active\\"');
});

test("a Scan in active mode gives its next attempt what the crashed one wrote", async () => {
  const id = scanIdOf(applied());
  stage.store.mayWrite = true;
  for (const _ of [1, 2]) await stage.look(NAME);
  expect(JSON.stringify(stage.jobs.get(`${id}-1`))).toContain('\\"writes\\":[]');
  stage.state.writes = [
    {
      ...{ seq: 0, form: "creation", caller: "self-1", object: "/notes/7", id: "7", cleaned: false },
      operation: { method: "POST", path: "/notes" },
      request: { method: "POST", url: "https://api.shop.example/notes", headers: {} },
    },
  ];
  stage.jobs.merge(`${id}-1`, { status: hasFailed });
  for (const _ of [1, 2, 3]) await stage.look(NAME);
  expect(stage.store.noted.get(id)).toEqual(stage.state.writes);
  expect(JSON.stringify(stage.jobs.get(`${id}-2`))).toContain('\\"object\\":\\"/notes/7\\"');
});
