import type { ScanResource } from "@glovebox/k8s";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

const SKEW_MS = 90_000;
/** The API server's clock is known to about a second, and the times in objects are whole seconds. */
const ABOUT_MS = 3_000;
/** Shorter than the skew: whoever compared the two clocks would be wrong about every bound. */
const settings = { GLOVEBOX_POD_WAIT_SECONDS: "60", GLOVEBOX_MAX_CONCURRENT_SCANS: "1" };

let stage: Stage;
let controller: ControllerProcess;
beforeAll(async () => {
  stage = await setStage({ delayMs: 100 });
});
afterEach(() => controller?.stop());
afterAll(() => stage?.close());

const startAhead = async (ms: number, more: Readonly<Record<string, string>> = {}) =>
  void (controller = await stage.startController({
    ...settings,
    TEST_CLOCK_AHEAD_MS: String(ms),
    ...more,
  }));

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status: { readonly phase: string };
}

/** The pod is said to be on a silent node, as the node controller says it: until the kubelet's next word of it. */
async function loseNodeOf(scan: string): Promise<void> {
  const pod = await until("a pod that runs", async () => {
    const { scanId } = await stage.statusOf(scan);
    const pods = ["pods", "-n", stage.namespace, "-l", `glovebox.dev/scan=${scanId}`] as const;
    const { items } = await getJson<{ items: Pod[] }>(...pods);
    return items.find((one) => one.status.phase === "Running");
  });
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+/, "");
  const conditions = [
    { type: "Ready", status: "False", lastTransitionTime },
    { type: "ContainersReady", status: "True", lastTransitionTime },
  ];
  const patch = JSON.stringify({ status: { conditions } });
  const target = ["pod", pod.metadata.name, "-n", stage.namespace];
  await kubectl(["patch", ...target, "--subresource=status", "--type=strategic", "-p", patch]);
}

describe.each([
  ["ahead", SKEW_MS],
  ["behind", -SKEW_MS],
])("a controller whose clock is a minute and a half %s", (name, ms) => {
  test("carries a slow scan out in its first attempt, though its node is silent for a moment, and the next in turn", async () => {
    await startAhead(ms);
    await stage.applyScan(`${name}-first`);
    await stage.applyScan(`${name}-second`);
    await loseNodeOf(`${name}-first`);
    for (const scan of [`${name}-first`, `${name}-second`]) {
      const status = await stage.finished(scan);
      expect(status).toMatchObject({ phase: "Completed", attempt: 1 });
      const { metadata } = await getJson<ScanResource>("scans.glovebox.dev", scan, "-n", stage.namespace);
      const said = status.conditions!.map(({ lastTransitionTime }) => lastTransitionTime);
      for (const time of [status.startedAt!, status.finishedAt!, ...said]) {
        expect(Date.parse(time)).toBeGreaterThan(Date.parse(metadata.creationTimestamp) - ABOUT_MS);
        expect(Date.parse(time)).toBeLessThan(Date.now() + ABOUT_MS);
      }
    }
    await stage.tidied();
  });
});

test("how long a Scan stays is the same for the controllers before and after it ended, whatever their clocks say", async () => {
  await startAhead(SKEW_MS, { GLOVEBOX_SCAN_TTL_SECONDS: "3600" });
  await stage.applyScan("stays");
  await stage.finished("stays");
  await controller.stop();
  // By its own clock this one would see the scan end three minutes later.
  await startAhead(-SKEW_MS, { GLOVEBOX_SCAN_TTL_SECONDS: "5" });
  await until("the end of the Scan itself", async () => {
    const names = await namesOf("scans.glovebox.dev", stage.namespace);
    return !names.includes("stays");
  });
});
