import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  await fixture.startController();
});
afterAll(() => fixture?.close());

/** A conflicting policy that allows all egress of the namespace. */
const allowAllEgress = () => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "widening", namespace: fixture.namespace },
  spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{}] },
});

describe("a conflicting policy that allows more egress than to the target", () => {
  test("fails the scan without a request to the target, and the status names the policy", async () => {
    await apply(allowAllEgress());
    await fixture.applyScan("widened");
    const status = await fixture.finished("widened");
    expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_widened" } });
    const named = `NetworkPolicy ${fixture.namespace}/widening`;
    expect(status.conditions).toContainEqual(
      expect.objectContaining({
        type: "Sealed",
        status: "False",
        reason: "ForeignPolicyWidensEgress",
        message: expect.stringContaining(named),
      }),
    );
    expect(await fixture.target.requests()).toEqual([]);
    await fixture.cleanedUp();
    await kubectl(["delete", "networkpolicy", "widening", "-n", fixture.namespace]);
  });

  test("does not affect the next scan after it is deleted", async () => {
    await fixture.applyScan("sealed");
    expect(await fixture.finished("sealed")).toMatchObject({ phase: "Completed" });
  });
});

test("a target inside the cluster that no setting allows is refused, without a request to it", async () => {
  const before = (await fixture.target.requests()).length;
  const { clusterIP } = (
    await getJson<{ spec: { clusterIP: string } }>("service", "kubernetes", "-n", "default")
  ).spec;
  await fixture.applyScan("cluster", `https://${clusterIP}/`);
  const status = await fixture.finished("cluster");
  expect(status.failure?.code).toBe("egress_refused");
  expect(status.conditions).toContainEqual(
    expect.objectContaining({ type: "TargetResolved", status: "False", reason: "TargetRefused" }),
  );
  expect((await fixture.target.requests()).length).toBe(before);
});

test("a Scan of an unknown account fails with the reason UnknownAccount", async () => {
  await fixture.applyScan("unknown-account", undefined, "unknown");
  const status = await fixture.finished("unknown-account");
  expect(status.phase).toBe("Failed");
  expect(status.conditions).toEqual([
    expect.objectContaining({ type: "Accepted", status: "False", reason: "UnknownAccount" }),
    expect.objectContaining({ type: "Failed", status: "True", reason: "UnknownAccount" }),
    expect.objectContaining({ type: "Stalled", status: "True", reason: "UnknownAccount" }),
  ]);
});
