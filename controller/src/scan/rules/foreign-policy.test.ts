import { scanFailure } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { decide } from "../decide.ts";
import type { PolicyObject } from "../foreign-policies.ts";
import { at, completeJob, pins, sealed, withJob, world } from "../testing/worlds.ts";
import type { World } from "../world.ts";

const open = (podSelector: object = {}, createdAt = at(0)): PolicyObject => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "open", namespace: "glovebox-scans", creationTimestamp: createdAt.toISOString() },
  spec: { podSelector, policyTypes: ["Egress"], egress: [{}] },
});
const refused = {
  rule: "foreignPolicyWidens",
  actions: [
    {
      do: "recordOutcome",
      outcome: {
        status: "failed",
        failure: scanFailure("egress_widened", "The policy is NetworkPolicy glovebox-scans/open."),
      },
    },
  ],
  decideAgain: true,
};
const ended = (seconds: number) => ({
  ...completeJob(),
  job: { ...completeJob().job!, endedAt: at(seconds) },
});

describe("a policy of somebody else's that opens more for the scan's pod", () => {
  test.each<[string, Partial<World>]>([
    ["before the policy is made", { answers: { target: { ok: true, pins } } }],
    ["before the Job is made", { attempts: [sealed()] }],
    ["while the Job runs", { attempts: [withJob()] }],
    ["while the Job has no pod yet", { attempts: [withJob({}, [])] }],
    ["when the report is to be read", { attempts: [completeJob()] }],
    ["when the Job has ended and its pod is gone", { attempts: [{ ...completeJob(), pods: [] }] }],
  ])("refuses the scan and is named: seen %s", (_, changes) => {
    expect(decide(world({ ...changes, policies: [open()] }))).toEqual(refused);
  });

  test("is judged by the labels that its pod has, whoever added them", () => {
    const policies = [open({ matchLabels: { team: "shop" } })];
    const labels = (more: Record<string, string>) => [withJob({}, [{ labels: more }])];
    expect(decide(world({ attempts: [sealed()], policies })).rule).toBe("startJob");
    expect(decide(world({ attempts: labels({ team: "other" }), policies })).rule).toBe("jobRunning");
    expect(decide(world({ attempts: labels({ team: "shop" }), policies }))).toEqual(refused);
  });

  test("is judged for each pod of the attempt", () => {
    const policies = [open({ matchLabels: { team: "shop" } })];
    const attempts = [withJob({}, [{}, { labels: { team: "shop" } }])];
    expect(decide(world({ attempts, policies }))).toEqual(refused);
  });

  test("by the uid of a Job counts until the Job has another one", () => {
    const policies = [open({ matchLabels: { "controller-uid": "else" } })];
    expect(decide(world({ attempts: [sealed()], policies }))).toEqual(refused);
    expect(decide(world({ attempts: [withJob({}, [])], policies })).rule).toBe("jobRunning");
  });

  test("that was made after the Job had ended takes no report away, clocks being a minute apart at most", () => {
    const after = (seconds: number) =>
      decide(world({ attempts: [ended(100)], policies: [open({}, at(seconds))], now: at(300) }));
    expect(after(99)).toEqual(refused);
    expect(after(160)).toEqual(refused);
    expect(after(161).rule).toBe("readReport");
  });

  test("that comes while the report is read keeps it from being recorded", () => {
    const report = { attempt: 1, how: "lost", detail: "" } as const;
    expect(decide(world({ attempts: [ended(100)], policies: [open()], answers: { report } }))).toEqual(
      refused,
    );
  });
});
