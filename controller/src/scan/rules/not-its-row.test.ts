import { API_NAME, LABELS } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import { FAILED } from "../testing/plans.ts";
import { podSeen, SCAN_ID, scanResource, withJob, world } from "../testing/worlds.ts";

const unbound = { row: { state: "unbound" } } as const;
const foreign = { row: { state: "foreign" } } as const;
const refused = {
  phase: "Failed",
  conditions: [{ type: "Accepted", status: "False", reason: "IdentityMismatch" }, ...FAILED],
};

describe("a Scan whose row has no Scan yet", () => {
  test("is noted for it first, also when it was deleted meanwhile", () => {
    const plan = { rule: "bind", actions: [{ do: "bind" }], decideAgain: true };
    expect(decide(world(unbound))).toEqual(plan);
    expect(decide(world({ ...unbound, isDeleted: true }))).toEqual(plan);
  });

  test("and which asks for something else is refused", () => {
    const { actions } = decide(world({ ...unbound, answers: { binding: "refused" } }));
    expect(actions).toMatchObject([{ do: "patchStatus", status: refused }]);
  });

  test("and which cannot be scanned as written is refused unasked", () => {
    const scan = { ...scanResource(), spec: { url: "https://a@b.example/" } };
    expect(decide(world({ ...unbound, scan })).actions).toMatchObject([{ status: refused }]);
  });
});

test("a Scan of another namespace than the API's that says that the API made it is not noted", () => {
  const { metadata, ...rest } = scanResource();
  const named = { ...metadata, namespace: "team-a", name: SCAN_ID };
  const labelled = { ...rest, metadata: { ...named, labels: { [LABELS.managedBy]: API_NAME } } };
  expect(decide(world({ ...unbound, scan: labelled })).actions).toMatchObject([{ status: refused }]);
  expect(decide(world({ ...unbound, scan: { ...rest, metadata: named } })).rule).toBe("bind");
});

describe("a Scan whose row is another's", () => {
  test("is refused, whatever became of that one, and does not show its id", () => {
    const { rule, actions } = decide(world(foreign));
    expect(rule).toBe("notItsRow");
    expect(actions).toMatchObject([{ do: "patchStatus", status: refused }]);
    expect(actions[0]).not.toHaveProperty("status.scanId");
  });

  test("stops nothing: what is seen under its id is the other's", () => {
    const pods = [{ number: 1, pods: [podSeen({ isRunning: true })] }];
    for (const attempts of [pods, [withJob()]])
      expect(decide(world({ ...foreign, attempts })).actions).toMatchObject([{ status: refused }]);
  });

  test("cancels nothing when it is deleted", () => {
    expect(decide(world({ ...foreign, isDeleted: true })).actions).toEqual([]);
    const answers = { binding: "refused" } as const;
    expect(decide(world({ ...unbound, isDeleted: true, answers })).actions).toEqual([]);
  });
});
