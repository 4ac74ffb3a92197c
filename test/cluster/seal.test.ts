import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { setStage, type Stage } from "./support/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.startController();
});
afterAll(() => stage?.close());

/** A policy that lets every pod of the namespace out to everywhere, as somebody else might add it. */
const wideOpen = () => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "somebody-elses", namespace: stage.namespace },
  spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{}] },
});

describe("a policy of somebody else's that opens more than the target", () => {
  test("refuses the scan and is named, and nobody calls the target", async () => {
    await apply(wideOpen());
    await stage.applyScan("widened");
    const status = await stage.finished("widened");
    expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_widened" } });
    const named = `NetworkPolicy ${stage.namespace}/somebody-elses`;
    expect(status.conditions).toContainEqual(
      expect.objectContaining({
        type: "Sealed",
        status: "False",
        reason: "ForeignPolicyWidensEgress",
        message: expect.stringContaining(named),
      }),
    );
    expect(await stage.target.requests()).toEqual([]);
    await stage.tidied();
    await kubectl(["delete", "networkpolicy", "somebody-elses", "-n", stage.namespace]);
  });

  test("is not in the way of the next scan once it is gone", async () => {
    await stage.applyScan("sealed");
    expect(await stage.finished("sealed")).toMatchObject({ phase: "Completed" });
  });
});

test("a target inside the cluster that no setting allows is refused, and nobody calls it", async () => {
  const before = (await stage.target.requests()).length;
  const { clusterIP } = (
    await getJson<{ spec: { clusterIP: string } }>("service", "kubernetes", "-n", "default")
  ).spec;
  await stage.applyScan("cluster", `https://${clusterIP}/`);
  const status = await stage.finished("cluster");
  expect(status.failure?.code).toBe("egress_refused");
  expect(status.conditions).toContainEqual(
    expect.objectContaining({ type: "TargetResolved", status: "False", reason: "TargetRefused" }),
  );
  expect((await stage.target.requests()).length).toBe(before);
});

test("a Scan of an account that nobody knows ends without a Job, and says so", async () => {
  await stage.applyScan("unknown-account", undefined, "nobody");
  const status = await stage.finished("unknown-account");
  expect(status.phase).toBe("Failed");
  expect(status.conditions).toEqual([
    expect.objectContaining({ type: "Accepted", status: "False", reason: "UnknownAccount" }),
    expect.objectContaining({ type: "Failed", status: "True", reason: "UnknownAccount" }),
    expect.objectContaining({ type: "Stalled", status: "True", reason: "UnknownAccount" }),
  ]);
});
