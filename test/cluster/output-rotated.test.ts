import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ControllerProcess, resultsLost } from "./support/controller.ts";
import { faultyScanners, type FaultyScanners } from "./support/faulty-scanners.ts";
import { getJson, kubectl } from "./support/kubectl.ts";
import { ofAttempt, scanPod } from "./support/scan-pod.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
let faults: FaultyScanners;
let controller: ControllerProcess;
let noiseBytes: number;
beforeAll(async () => {
  fixture = await startFixture();
  faults = await faultyScanners(fixture.namespace);
  noiseBytes = (await rotationBytes()) + 64 * 1024;
});
afterAll(async () => {
  await faults?.close();
  await fixture?.close();
});
afterEach(() => controller.stop());

const firstPod = async (): Promise<string> =>
  (await scanPod(fixture.namespace, { selector: ofAttempt(1) })).metadata.name;

const startOfLog = (pod: string): Promise<string> =>
  kubectl(["logs", pod, "-n", fixture.namespace, "-c", "scanner", "--limit-bytes=40"]);

/** Lets the scanner continue when the kubelet has rotated its log: then only the new file can be read. */
async function continueAfterRotation(pod: string): Promise<void> {
  const first = '{"frame":"progress"';
  await until("the start of the log", async () => (await startOfLog(pod)).startsWith(first));
  await until("the rotation of the log", async () => !(await startOfLog(pod)).startsWith(first), 300);
  const program = "require('node:fs').writeFileSync('/tmp/go', '')";
  await kubectl(["exec", pod, "-n", fixture.namespace, "-c", "scanner", "--", "node", "-e", program]);
}

describe("a log that the kubelet rotates", () => {
  test("a log that the kubelet rotates before the report is printed contains the whole report, and the scan completes in its first attempt", async () => {
    faults.choose(() => ({ name: "rotated before", noiseBytes }));
    controller = await fixture.startController();
    await fixture.applyScan("rotated-before");
    await continueAfterRotation(await firstPod());
    expect(await fixture.finished("rotated-before")).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await resultsLost(controller)).toBe(0);
  });

  test.each(["rotated in the middle", "rotated after"])(
    "(%s) counts as lost, and the next attempt completes",
    async (name) => {
      faults.choose((attempt) => (attempt === 1 ? { name, noiseBytes } : undefined));
      controller = await fixture.startController();
      const scan = name.replaceAll(" ", "-");
      await fixture.applyScan(scan);
      await continueAfterRotation(await firstPod());
      const status = await fixture.finished(scan);
      expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
      expect(status.findings).toBeGreaterThan(0);
      expect(await resultsLost(controller)).toBe(1);
    },
  );
});

/** Size at which the kubelets of the cluster rotate a container's log, in bytes. */
async function rotationBytes(): Promise<number> {
  const { items } = await getJson<{ items: { metadata: { name: string } }[] }>("nodes");
  const sizes = await Promise.all(items.map(({ metadata }) => rotationBytesOf(metadata.name)));
  return Math.max(...sizes);
}

async function rotationBytesOf(node: string): Promise<number> {
  const config = await kubectl(["get", "--raw", `/api/v1/nodes/${node}/proxy/configz`]);
  const { kubeletconfig } = JSON.parse(config) as { kubeletconfig: { containerLogMaxSize: string } };
  const [, number, unit = ""] = /^(\d+)([KMG]i?)?$/.exec(kubeletconfig.containerLogMaxSize) ?? [];
  return Number(number) * (UNITS[unit] ?? 1);
}

const UNITS: Readonly<Record<string, number>> = {
  K: 1000,
  M: 1000 ** 2,
  G: 1000 ** 3,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
};
