import { describe, expect, test } from "vitest";
import { isRelevantJobChange, isRelevantPodChange } from "../caches/caches.ts";
import type { Job, Pod } from "../kubernetes/api-client.ts";

type JobStatus = Job["status"];
type PodStatus = Pod["status"];
const metadata = { name: "scan-1", uid: "1", creationTimestamp: "2026-11-22T08:00:00Z" };
const complete = { conditions: [{ type: "Complete", status: "True" }] };
const running = {
  phase: "Running",
  containerStatuses: [{ name: "scanner", state: { running: {} } }],
} as PodStatus;
const ready = { conditions: [{ type: "PodScheduled", status: "True" }] };

describe("a Job", () => {
  test.each<[boolean, string, JobStatus, JobStatus]>([
    [false, "is written down to have a pod", {}, { active: 1 }],
    [false, "is written down to have one that is ready", { active: 1 }, { active: 1, ready: 1 }],
    [true, "is complete", { active: 1 }, { succeeded: 1, ...complete }],
    [true, "has failed", {}, { conditions: [{ type: "Failed", status: "True" }] }],
  ])("a Job is news: %s when it %s", (isNews, _, before, after) => {
    const change = { previous: { metadata, status: before! }, object: { metadata, status: after! } };
    expect(isRelevantJobChange({ type: "updated", ...change })).toBe(isNews);
  });

  test.each(["added", "deleted", "resynced"] as const)("a Job that was %s is news", (type) => {
    expect(isRelevantJobChange({ type, object: { metadata, status: { active: 1 } } })).toBe(true);
  });
});

describe("a pod", () => {
  test.each<[boolean, string, PodStatus, PodStatus]>([
    [false, "is scheduled", { phase: "Pending" }, { phase: "Pending", ...ready }],
    [true, "runs", { phase: "Pending" }, running],
    [false, "ends", running, { ...running, phase: "Succeeded" }],
    [false, "fails", running, { ...running, phase: "Failed", containerStatuses: [] }],
    [
      true,
      "waits for its image",
      { phase: "Pending" },
      {
        phase: "Pending",
        containerStatuses: [{ name: "scanner", state: { waiting: { reason: "ErrImagePull" } } }],
      } as PodStatus,
    ],
  ])("a pod is news: %s when it %s", (isNews, _, before, after) => {
    const change = { previous: { metadata, status: before! }, object: { metadata, status: after! } };
    expect(isRelevantPodChange({ type: "updated", ...change })).toBe(isNews);
  });

  test("a pod whose labels were changed is news, as policies select by them", () => {
    const object = { metadata: { ...metadata, labels: { role: "gateway" } }, status: running! };
    expect(isRelevantPodChange({ type: "updated", previous: { metadata, status: running! }, object })).toBe(
      true,
    );
  });

  test.each(["added", "deleted", "resynced"] as const)(
    "a pod that was %s is news, also when it has ended",
    (type) => {
      expect(isRelevantPodChange({ type, object: { metadata, status: { phase: "Succeeded" } } })).toBe(true);
    },
  );
});
