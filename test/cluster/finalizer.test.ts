import { afterAll, beforeAll, expect, test } from "vitest";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { kubectl } from "./support/kubectl.ts";
import { scanPod } from "./support/scan-pod.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture({ delayMs: 300 });
  await fixture.startController();
});
afterAll(async () => {
  await setFinalizers([]);
  await fixture?.close();
});

const setFinalizers = (finalizers: readonly string[]): Promise<string> =>
  kubectl([
    ...["patch", "scans.glovebox.dev", "kept", "-n", fixture.namespace, "--type=merge"],
    ...["-p", JSON.stringify({ metadata: { finalizers } })],
  ]);

test("a running scan that is deleted and has a finalizer of somebody loses its Job immediately, and its status says that it was cancelled", async () => {
  await fixture.applyScan("kept");
  await setFinalizers(["example.com/backup"]);
  await scanPod(fixture.namespace);
  await kubectl(["delete", "scans.glovebox.dev", "kept", "-n", fixture.namespace, "--wait=false"]);
  await fixture.cleanedUp();
  expect(await fixture.finished("kept")).toMatchObject({ phase: "Failed", reason: "Cancelled", attempt: 1 });
});
