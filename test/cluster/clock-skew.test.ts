import type { ScanResource } from "@glovebox/k8s";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { ofScan, scanPod } from "./support/scan-pod.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

const SKEW_MS = 90_000;
/** The controller knows the API server's clock to about a second, and timestamps in objects are whole seconds. */
const TOLERANCE_MS = 3_000;
/** The time limit is shorter than the skew: a comparison of the two clocks would exceed it. */
const settings = { GLOVEBOX_POD_WAIT_SECONDS: "60", GLOVEBOX_MAX_CONCURRENT_SCANS: "1" };

let fixture: Fixture;
let controller: ControllerProcess;
beforeAll(async () => {
  fixture = await startFixture({ delayMs: 100 });
});
afterEach(() => controller?.stop());
afterAll(() => fixture?.close());

const startWithSkew = async (ms: number, more: Readonly<Record<string, string>> = {}) =>
  void (controller = await fixture.startController({
    ...settings,
    TEST_CLOCK_AHEAD_MS: String(ms),
    ...more,
  }));

/** Sets the conditions that the node controller sets when a node stops reporting. The kubelet overwrites them soon. */
async function markNodeLost(scan: string): Promise<void> {
  const scanId = await until("the id of the scan", async () => (await fixture.statusOf(scan)).scanId);
  const pod = await scanPod(fixture.namespace, { selector: ofScan(scanId) });
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, "");
  const conditions = [
    { type: "Ready", status: "False", lastTransitionTime },
    { type: "ContainersReady", status: "True", lastTransitionTime },
  ];
  const patch = JSON.stringify({ status: { conditions } });
  const target = ["pod", pod.metadata.name, "-n", fixture.namespace];
  await kubectl(["patch", ...target, "--subresource=status", "--type=strategic", "-p", patch]);
}

describe.each([
  ["ahead", SKEW_MS],
  ["behind", -SKEW_MS],
])("a controller whose clock is a minute and a half %s", (name, ms) => {
  test("completes a slow scan in its first attempt despite a short loss of its node, and then the next scan", async () => {
    await startWithSkew(ms);
    await fixture.applyScan(`${name}-first`);
    await fixture.applyScan(`${name}-second`);
    await markNodeLost(`${name}-first`);
    for (const scan of [`${name}-first`, `${name}-second`]) {
      const status = await fixture.finished(scan);
      expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
      const { metadata } = await getJson<ScanResource>("scans.glovebox.dev", scan, "-n", fixture.namespace);
      const transitions = status.conditions!.map(({ lastTransitionTime }) => lastTransitionTime);
      for (const time of [status.startedAt!, status.finishedAt!, ...transitions]) {
        expect(Date.parse(time)).toBeGreaterThan(Date.parse(metadata.creationTimestamp) - TOLERANCE_MS);
        expect(Date.parse(time)).toBeLessThan(Date.now() + TOLERANCE_MS);
      }
    }
    await fixture.cleanedUp();
  });
});

test("a Scan is deleted after its TTL even if the clocks of two successive controllers differ", async () => {
  await startWithSkew(SKEW_MS, { GLOVEBOX_SCAN_TTL_SECONDS: "3600" });
  await fixture.applyScan("stays");
  await fixture.finished("stays");
  await controller.stop();
  // By the clock of this controller, the scan ends three minutes in the future.
  await startWithSkew(-SKEW_MS, { GLOVEBOX_SCAN_TTL_SECONDS: "5" });
  await until("the deletion of the Scan", async () => {
    const names = await namesOf("scans.glovebox.dev", fixture.namespace);
    return !names.includes("stays");
  });
});
