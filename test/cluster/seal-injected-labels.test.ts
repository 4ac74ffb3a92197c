import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { scanPod } from "./support/scan-pod.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

// Policies that select scan pods by labels that Glovebox does not set: those of the Job controller, and one that somebody
// gives to the pod, as an admission webhook may.
let stage: Stage;
let controller: ControllerProcess;
/** Ranges of the cluster that hold its API server and its nodes, and not the canary. */
let ranges: string[];
beforeAll(async () => {
  // Slow enough for something to happen while it scans.
  stage = await setStage({ delayMs: 400 });
  const { subsets } = await getJson<{ subsets: { addresses: { ip: string }[] }[] }>(
    "endpoints",
    "kubernetes",
  );
  ranges = subsets.flatMap(({ addresses }) => addresses.map(({ ip }) => `${ip}/32`));
  controller = await stage.startController();
});
afterAll(() => stage?.close());

/** Lets the pods that it selects reach the API server and the kubelet. */
const opening = (podSelector: object) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "somebody-elses", namespace: stage.namespace },
  spec: {
    podSelector,
    policyTypes: ["Egress"],
    egress: [{ to: ranges.map((cidr) => ({ ipBlock: { cidr } })) }],
  },
});
const byJobName = { matchExpressions: [{ key: "job-name", operator: "Exists" }] };

beforeEach(async () => {
  await kubectl(["delete", "networkpolicy", "somebody-elses", "-n", stage.namespace, "--ignore-not-found"]);
  await stage.tidied();
});

/** The scan has ended as refused, and says which policy it was. */
async function expectRefused(name: string): Promise<void> {
  const status = await stage.finished(name);
  expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_widened" } });
  expect(status.conditions).toContainEqual(
    expect.objectContaining({
      type: "Sealed",
      status: "False",
      reason: "ForeignPolicyWidensEgress",
      message: expect.stringContaining(`NetworkPolicy ${stage.namespace}/somebody-elses`),
    }),
  );
}

/** The scan is at its target. */
async function scanning(name: string): Promise<void> {
  const before = (await stage.target.requests()).length;
  await stage.applyScan(name);
  await until("a request of the scan", async () => (await stage.target.requests()).length > before + 3);
}

describe("a policy that opens the API server and the kubelet, and not the canary,", () => {
  test.each([
    ["the name of a Job", "by-name", byJobName],
    ["the uid of a Job", "by-uid", { matchExpressions: [{ key: "controller-uid", operator: "Exists" }] }],
    ["a uid that its Job may yet get", "by-value", { matchLabels: { "controller-uid": "some" } }],
  ])("and selects by %s refuses a scan before it has a pod", async (_, name, podSelector) => {
    const before = (await stage.target.requests()).length;
    await apply(opening(podSelector));
    await stage.applyScan(name);
    await expectRefused(name);
    expect((await stage.target.requests()).length).toBe(before);
  });

  test("and selects by the name of a Job ends a scan that runs", async () => {
    await scanning("while-it-runs");
    await apply(opening(byJobName));
    await expectRefused("while-it-runs");
  });

  test("and selects by a label that a scan's pod is given ends the scan, and no scan before", async () => {
    await apply(opening({ matchLabels: { team: "shop" } }));
    await scanning("labelled");
    const { metadata } = await scanPod(stage.namespace);
    expect(await stage.statusOf("labelled")).toMatchObject({ phase: "Running", attempt: 1 });
    await kubectl(["label", "pod", metadata.name, "-n", stage.namespace, "team=shop"]);
    await expectRefused("labelled");
  });

  test("and came while no controller ran, to a scan that has ended since, keeps its report from being taken", async () => {
    await scanning("unwatched");
    await controller.stop();
    await apply(opening(byJobName));
    await until("the end of its Job", async () => {
      const { items } = await getJson<{ items: { status: { succeeded?: number } }[] }>(
        "jobs",
        "-n",
        stage.namespace,
      );
      return items.some(({ status }) => status.succeeded === 1);
    });
    controller = await stage.startController();
    await expectRefused("unwatched");
  });
});
