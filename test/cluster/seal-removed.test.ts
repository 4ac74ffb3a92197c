import type { ScanStatus } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

// The policy of a running scan is deleted or patched. The namespace denies all traffic, so the target no longer responds: this must
// never look like a target without findings.
let fixture: Fixture;
let controller: ControllerProcess;
beforeAll(async () => {
  // Slow enough to change the policy while a scan runs.
  fixture = await startFixture({ delayMs: 400 });
  controller = await fixture.startController();
});
afterAll(() => fixture?.close());

interface Policy {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: object;
    readonly annotations: object;
    readonly ownerReferences: readonly object[];
  };
  readonly spec: object;
}

/** Waits until the attempt sends requests to its target, and returns its policy. */
async function policyOfRunning(attempt: number): Promise<Policy> {
  const before = (await fixture.target.requests()).length;
  const policy = await until(`the policy of attempt ${attempt}`, async () => {
    const label = `glovebox.dev/attempt=${attempt}`;
    const { items } = await getJson<{ items: Policy[] }>(
      "networkpolicies",
      "-n",
      fixture.namespace,
      "-l",
      label,
    );
    return items[0];
  });
  await until("a request of the scan", async () => (await fixture.target.requests()).length > before + 3);
  return policy;
}

const patch = (policy: Policy, spec: object): Promise<string> =>
  kubectl([
    ...["patch", "networkpolicy", policy.metadata.name, "-n", fixture.namespace, "--type=json"],
    ...["-p", JSON.stringify([{ op: "replace", path: "/spec", value: spec }])],
  ]);
const remove = ({ metadata }: Policy): Promise<string> =>
  kubectl(["delete", "networkpolicy", metadata.name, "-n", fixture.namespace]);

const withoutPods = (spec: object) => ({ ...spec, podSelector: { matchLabels: { no: "pod" } } });
const changes: [string, (policy: Policy) => Promise<unknown>, string][] = [
  ["is deleted", remove, "deleted"],
  ["is patched to select no pod", (policy) => patch(policy, withoutPods(policy.spec)), "changed"],
  ["is patched to allow no egress", (policy) => patch(policy, { ...policy.spec, egress: [] }), "changed"],
  [
    "is patched to apply to ingress only",
    (policy) => patch(policy, { ...policy.spec, policyTypes: ["Ingress"] }),
    "changed",
  ],
];

const restored: typeof changes = [
  [
    "was patched and restored",
    async (policy) => {
      await patch(policy, withoutPods(policy.spec));
      await patch(policy, policy.spec);
    },
    "Its NetworkPolicy was changed and then restored.",
  ],
  [
    "was deleted and recreated",
    async ({ apiVersion, kind, metadata, spec }) => {
      const { name, namespace, labels, annotations, ownerReferences } = metadata;
      await kubectl(["delete", "networkpolicy", name, "-n", namespace]);
      await apply({
        apiVersion,
        kind,
        metadata: { name, namespace, labels, annotations, ownerReferences },
        spec,
      });
    },
    "Its NetworkPolicy was deleted and recreated.",
  ],
];

/** The notes of the scan's SealBroken events. */
async function sealBrokenEvents(name: string): Promise<string[]> {
  const { items } = await getJson<{ items: { regarding: { name: string }; reason: string; note: string }[] }>(
    "events.events.k8s.io",
    "-n",
    fixture.namespace,
  );
  return items
    .filter(({ regarding, reason }) => regarding.name === name && reason === "SealBroken")
    .map(({ note }) => note);
}

const sealedCondition = ({ conditions = [] }: ScanStatus) => conditions.find(({ type }) => type === "Sealed");

describe("a scan whose NetworkPolicy", () => {
  test.each(changes)(
    "%s while it runs is repeated with a new policy, and an event gives the reason",
    async (how, change, expected) => {
      const name = how.replaceAll(" ", "-");
      await fixture.applyScan(name);
      const policy = await policyOfRunning(1);
      expect(sealedCondition(await fixture.statusOf(name))).toMatchObject({
        status: "True",
        reason: "PolicyInPlace",
      });
      await change(policy);
      const status = await fixture.finished(name);
      expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
      expect(sealedCondition(status)).toMatchObject({ status: "True", reason: "PolicyInPlace" });
      expect(await sealBrokenEvents(name)).toEqual([
        expect.stringContaining(`Its NetworkPolicy was ${expected}`),
      ]);
      expect(status.score).toBeLessThan(100);
      await fixture.cleanedUp();
    },
  );

  test.each(restored)(
    "%s while no controller runs is repeated, and an event gives the reason",
    async (how, change, expected) => {
      const name = how.replaceAll(" ", "-");
      await fixture.applyScan(name);
      const policy = await policyOfRunning(1);
      await controller.stop();
      await change(policy);
      controller = await fixture.startController();
      expect(await fixture.finished(name)).toMatchObject({ phase: "Completed", attempt: 2 });
      expect(await sealBrokenEvents(name)).toEqual([expect.stringContaining(expected)]);
      await fixture.cleanedUp();
    },
  );

  test("a scan whose NetworkPolicy is deleted in every attempt fails with seal_broken", async () => {
    await fixture.applyScan("always-deleted");
    for (const attempt of [1, 2, 3]) await remove(await policyOfRunning(attempt));
    const status = await fixture.finished("always-deleted");
    expect(status).toMatchObject({ phase: "Failed", attempt: 3, failure: { code: "seal_broken" } });
    expect(sealedCondition(status)).toMatchObject({
      status: "False",
      reason: "SealBroken",
      message: expect.stringContaining("Its NetworkPolicy was deleted."),
    });
    await fixture.cleanedUp();
  });
});
