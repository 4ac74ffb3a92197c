import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { scanPod } from "./support/scan-pod.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

// Policies that select scan pods by labels that Glovebox does not set: the labels of the Job controller, and one that is added to
// the pod, as an admission webhook could.
let fixture: Fixture;
let controller: ControllerProcess;
/** Ranges with the API server and the nodes, without the canary. */
let ranges: string[];
beforeAll(async () => {
  // Slow enough to change policies while a scan runs.
  fixture = await startFixture({ delayMs: 150 });
  const { subsets } = await getJson<{ subsets: { addresses: { ip: string }[] }[] }>(
    "endpoints",
    "kubernetes",
  );
  ranges = subsets.flatMap(({ addresses }) => addresses.map(({ ip }) => `${ip}/32`));
  controller = await fixture.startController();
});
afterAll(() => fixture?.close());

/** A policy that allows the selected pods to reach the API server and the kubelet. */
const wideningPolicy = (podSelector: object) => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "widening", namespace: fixture.namespace },
  spec: {
    podSelector,
    policyTypes: ["Egress"],
    egress: [{ to: ranges.map((cidr) => ({ ipBlock: { cidr } })) }],
  },
});
const byJobName = { matchExpressions: [{ key: "job-name", operator: "Exists" }] };

beforeEach(async () => {
  await kubectl(["delete", "networkpolicy", "widening", "-n", fixture.namespace, "--ignore-not-found"]);
  await fixture.cleanedUp();
});

/** Asserts that the scan fails with egress_widened, and that its status names the policy. */
async function expectRefused(name: string): Promise<void> {
  const status = await fixture.finished(name);
  expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_widened" } });
  expect(status.conditions).toContainEqual(
    expect.objectContaining({
      type: "Sealed",
      status: "False",
      reason: "ForeignPolicyWidensEgress",
      message: expect.stringContaining(`NetworkPolicy ${fixture.namespace}/widening`),
    }),
  );
}

/** Applies a Scan and waits for requests at its target. */
async function startScanning(name: string): Promise<void> {
  const before = (await fixture.target.requests()).length;
  await fixture.applyScan(name);
  await until("a request of the scan", async () => (await fixture.target.requests()).length > before + 3);
}

describe("a policy that allows egress to the API server and the kubelet, but not to the canary,", () => {
  test.each([
    ["any job-name label", "by-name", byJobName],
    [
      "any controller-uid label",
      "by-uid",
      { matchExpressions: [{ key: "controller-uid", operator: "Exists" }] },
    ],
    ["the uid of a future Job", "by-value", { matchLabels: { "controller-uid": "some" } }],
  ])(
    "a policy that allows egress to the API server and the kubelet, but not to the canary, and selects pods by %s fails a scan before it has a pod",
    async (_, name, podSelector) => {
      const before = (await fixture.target.requests()).length;
      await apply(wideningPolicy(podSelector));
      await fixture.applyScan(name);
      await expectRefused(name);
      expect((await fixture.target.requests()).length).toBe(before);
    },
  );

  test("a policy that allows egress to the API server and the kubelet, but not to the canary, and selects pods by the job-name label fails a running scan", async () => {
    await startScanning("while-it-runs");
    await apply(wideningPolicy(byJobName));
    await expectRefused("while-it-runs");
  });

  test("a policy that allows egress to the API server and the kubelet, but not to the canary, and selects pods by a label of another program fails a scan when its pod gets this label, and not before", async () => {
    await apply(wideningPolicy({ matchLabels: { team: "shop" } }));
    await startScanning("labelled");
    const { metadata } = await scanPod(fixture.namespace);
    expect(await fixture.statusOf("labelled")).toMatchObject({ phase: "Running", attempt: 1 });
    await kubectl(["label", "pod", metadata.name, "-n", fixture.namespace, "team=shop"]);
    await expectRefused("labelled");
  });

  test("a policy that allows egress to the API server and the kubelet, but not to the canary, and was created while no controller ran fails a scan whose Job has completed meanwhile", async () => {
    await startScanning("unwatched");
    await controller.stop();
    await apply(wideningPolicy(byJobName));
    await until("the completion of its Job", async () => {
      const { items } = await getJson<{ items: { status: { succeeded?: number } }[] }>(
        "jobs",
        "-n",
        fixture.namespace,
      );
      return items.some(({ status }) => status.succeeded === 1);
    });
    controller = await fixture.startController();
    await expectRefused("unwatched");
  });
});
