import type { ScanStatus } from "@glovebox/k8s";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

// Somebody deletes or patches the policy of a scan that runs. The namespace denies everything, so its target falls silent:
// that must never look like a target without findings.
let stage: Stage;
let controller: ControllerProcess;
beforeAll(async () => {
  // Slow enough for something to happen while it scans.
  stage = await setStage({ delayMs: 400 });
  controller = await stage.startController();
});
afterAll(() => stage?.close());

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

/** The policy of this attempt, once its scan is at the target. */
async function scanningUnder(attempt: number): Promise<Policy> {
  const before = (await stage.target.requests()).length;
  const policy = await until(`the policy of attempt ${attempt}`, async () => {
    const label = `glovebox.dev/attempt=${attempt}`;
    const { items } = await getJson<{ items: Policy[] }>(
      "networkpolicies",
      "-n",
      stage.namespace,
      "-l",
      label,
    );
    return items[0];
  });
  await until("a request of the scan", async () => (await stage.target.requests()).length > before + 3);
  return policy;
}

const patch = (policy: Policy, spec: object): Promise<string> =>
  kubectl([
    ...["patch", "networkpolicy", policy.metadata.name, "-n", stage.namespace, "--type=json"],
    ...["-p", JSON.stringify([{ op: "replace", path: "/spec", value: spec }])],
  ]);
const remove = ({ metadata }: Policy): Promise<string> =>
  kubectl(["delete", "networkpolicy", metadata.name, "-n", stage.namespace]);

const selectingNothing = (spec: object) => ({ ...spec, podSelector: { matchLabels: { no: "pod" } } });
const mishaps: [string, (policy: Policy) => Promise<unknown>, string][] = [
  ["is deleted", remove, "deleted"],
  ["is patched to select nothing", (policy) => patch(policy, selectingNothing(policy.spec)), "changed"],
  ["is patched to let nothing out", (policy) => patch(policy, { ...policy.spec, egress: [] }), "changed"],
  [
    "is patched to be about ingress only",
    (policy) => patch(policy, { ...policy.spec, policyTypes: ["Ingress"] }),
    "changed",
  ],
];

const restored: typeof mishaps = [
  [
    "was patched and patched back",
    async (policy) => {
      await patch(policy, selectingNothing(policy.spec));
      await patch(policy, policy.spec);
    },
    "Its NetworkPolicy was changed and changed back.",
  ],
  [
    "was deleted and made again",
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

/** What the scan's events say of its seal. */
async function sealEvents(name: string): Promise<string[]> {
  const { items } = await getJson<{ items: { regarding: { name: string }; reason: string; note: string }[] }>(
    "events.events.k8s.io",
    "-n",
    stage.namespace,
  );
  return items
    .filter(({ regarding, reason }) => regarding.name === name && reason === "SealBroken")
    .map(({ note }) => note);
}

const sealOf = ({ conditions = [] }: ScanStatus) => conditions.find(({ type }) => type === "Sealed");

describe("a scan whose policy", () => {
  test.each(mishaps)(
    "%s while it runs is tried again under a new one, and says why",
    async (how, befall, found) => {
      const name = how.replaceAll(" ", "-");
      await stage.applyScan(name);
      const policy = await scanningUnder(1);
      expect(sealOf(await stage.statusOf(name))).toMatchObject({ status: "True", reason: "PolicyInPlace" });
      await befall(policy);
      const status = await stage.finished(name);
      expect(status).toMatchObject({ phase: "Completed", attempt: 2 });
      expect(sealOf(status)).toMatchObject({ status: "True", reason: "PolicyInPlace" });
      expect(await sealEvents(name)).toEqual([expect.stringContaining(`Its NetworkPolicy was ${found}`)]);
      expect(status.score).toBeLessThan(100);
      await stage.tidied();
    },
  );

  test.each(restored)("%s while no controller ran is tried again, too", async (how, befall, found) => {
    const name = how.replaceAll(" ", "-");
    await stage.applyScan(name);
    const policy = await scanningUnder(1);
    await controller.stop();
    await befall(policy);
    controller = await stage.startController();
    expect(await stage.finished(name)).toMatchObject({ phase: "Completed", attempt: 2 });
    expect(await sealEvents(name)).toEqual([expect.stringContaining(found)]);
    await stage.tidied();
  });

  test("is deleted in every attempt fails, gives its charge back, and says that its seal was broken", async () => {
    await stage.applyScan("hunted");
    for (const attempt of [1, 2, 3]) await remove(await scanningUnder(attempt));
    const status = await stage.finished("hunted");
    expect(status).toMatchObject({ phase: "Failed", attempt: 3, failure: { code: "seal_broken" } });
    expect(sealOf(status)).toMatchObject({
      status: "False",
      reason: "SealBroken",
      message: expect.stringContaining("Its NetworkPolicy was deleted."),
    });
    await stage.tidied();
  });
});
