import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ControllerProcess, resultsLost } from "./support/controller.ts";
import { faultyScanners, type FaultyScanners } from "./support/faulty-scanners.ts";
import { getJson, kubectl } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

let stage: Stage;
let faults: FaultyScanners;
let controller: ControllerProcess;
let noiseBytes: number;
beforeAll(async () => {
  stage = await setStage();
  faults = await faultyScanners(stage.namespace);
  noiseBytes = (await rotationBytes()) + 64 * 1024;
});
afterAll(async () => {
  await faults?.close();
  await stage?.close();
});
afterEach(() => controller.stop());

const podOf = (attempt: number) =>
  until(`the pod of attempt ${attempt}, running`, async () => {
    const labels = `glovebox.dev/attempt=${attempt}`;
    const { items } = await getJson<{ items: Pod[] }>("pods", "-n", stage.namespace, "-l", labels);
    return items.find(({ status }) => status.phase === "Running")?.metadata.name;
  });
interface Pod {
  readonly metadata: { readonly name: string };
  readonly status: { readonly phase: string };
}

const beginningOf = (pod: string): Promise<string> =>
  kubectl(["logs", pod, "-n", stage.namespace, "-c", "scanner", "--limit-bytes=40"]);

/** Lets the scanner go on once the kubelet has begun a new file, which is all that a reader then sees. */
async function goOnceRotated(pod: string): Promise<void> {
  const first = '{"frame":"progress"';
  await until("the beginning of the log", async () => (await beginningOf(pod)).startsWith(first));
  await until("a new file for the log", async () => !(await beginningOf(pod)).startsWith(first), 300);
  const program = "require('node:fs').writeFileSync('/tmp/go', '')";
  await kubectl(["exec", pod, "-n", stage.namespace, "-c", "scanner", "--", "node", "-e", program]);
}

describe("a log that the kubelet rotates", () => {
  test("before the report is printed still holds the report whole", async () => {
    faults.choose(() => ({ name: "rotated before", noiseBytes }));
    controller = await stage.startController();
    await stage.applyScan("rotated-before");
    await goOnceRotated(await podOf(1));
    expect(await stage.finished("rotated-before")).toMatchObject({ phase: "Completed", attempt: 1 });
    expect(await resultsLost(controller)).toBe(0);
  });

  test.each(["rotated in the middle", "rotated after"])(
    "loses the report when it was %s, and the next attempt delivers it",
    async (name) => {
      faults.choose((attempt) => (attempt === 1 ? { name, noiseBytes } : undefined));
      controller = await stage.startController();
      const scan = name.replaceAll(" ", "-");
      await stage.applyScan(scan);
      await goOnceRotated(await podOf(1));
      const status = await stage.finished(scan);
      expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
      expect(status.findings).toBeGreaterThan(0);
      expect(await resultsLost(controller)).toBe(1);
    },
  );
});

/** Size at which the kubelets of the cluster begin a new file for a container's log, in bytes. */
async function rotationBytes(): Promise<number> {
  const { items } = await getJson<{ items: { metadata: { name: string } }[] }>("nodes");
  const sizes = await Promise.all(items.map(({ metadata }) => rotationBytesOf(metadata.name)));
  return Math.max(...sizes);
}

async function rotationBytesOf(node: string): Promise<number> {
  const said = await kubectl(["get", "--raw", `/api/v1/nodes/${node}/proxy/configz`]);
  const { kubeletconfig } = JSON.parse(said) as { kubeletconfig: { containerLogMaxSize: string } };
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
