import { scanFailure } from "@glovebox/contract";
import { buildScanCrd, type ScanResource, type ScanStatus } from "@glovebox/k8s";
import { describe, expect, test } from "vitest";
import { statusWritten } from "./testing/plans.ts";
import { at, failedJob, scanResource, isolated, withJob, world } from "./testing/worlds.ts";
import type { World } from "./world.ts";

/**
 * The rules of kstatus for a custom resource, in their order, from its documentation (sigs.k8s.io/cli-utils,
 * pkg/kstatus, "Statuses" and "Conditions"): Flux waits by them, and Argo CD's health checks are mostly written after them.
 */
function kstatusOf({ metadata, status = {} }: Pick<ScanResource, "metadata" | "status">) {
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  const { observedGeneration = metadata.generation, conditions = [] } = status;
  if (observedGeneration !== metadata.generation) return "InProgress";
  for (const { type, status: is } of conditions) {
    if (type === "Reconciling" && is === "True") return "InProgress";
    if (type === "Stalled" && is === "True") return "Failed";
  }
  return "Current";
}

const ended = (row: World["row"], status?: ScanStatus) => world({ row, ...(status && { status }) });
const failed = (...failure: Parameters<typeof scanFailure>): World["row"] => ({
  state: "failed",
  failure: scanFailure(...failure),
});
const completed = { state: "completed", score: 88, grade: "B", findings: 3 } as const;
const after = (input: World): ScanStatus => statusWritten(input)!;
const summaryOf = ({ conditions = [] }: ScanStatus) =>
  conditions
    .filter(({ type }) => /^(Reconciling|Stalled|Complete|Failed)$/.test(type))
    .map(({ type }) => type);

describe("kstatus, and with it Flux, sees", () => {
  test("a Scan that no controller has looked at as in progress, by the CRD's default", () => {
    const { default: status } =
      buildScanCrd().spec.versions[0]!.schema.openAPIV3Schema.properties!["status"]!;
    expect(kstatusOf(scanResource(status as ScanStatus))).toBe("InProgress");
  });

  test.each<[string, World, string, readonly string[]]>([
    ["waits for its turn", world({ slot: "waiting" }), "InProgress", ["Reconciling"]],
    [
      "waits for a canary",
      world({ attempts: [isolated()], canary: undefined }),
      "InProgress",
      ["Reconciling"],
    ],
    ["whose Job is started", world({ attempts: [isolated()] }), "InProgress", ["Reconciling"]],
    [
      "whose Job is refused for now",
      world({ attempts: [isolated()], refusal: { what: "Job", message: "exceeded quota", at: at(9) } }),
      "InProgress",
      ["Reconciling"],
    ],
    ["runs", world({ attempts: [withJob()] }), "InProgress", ["Reconciling"]],
    ["is tried again", world({ attempts: [failedJob("PodFailurePolicy")] }), "InProgress", ["Reconciling"]],
    ["has completed", ended(completed), "Current", ["Complete"]],
    ["has failed", ended(failed("target_timeout")), "Failed", ["Failed", "Stalled"]],
    ["was cancelled", ended(failed("cancelled")), "Failed", ["Failed", "Stalled"]],
    ["is refused as another's", world({ row: { state: "ofAnother" } }), "Failed", ["Failed", "Stalled"]],
    [
      "nobody may be charged for",
      world({
        row: { state: "absent" },
        responses: { adoption: { refused: "QuotaExhausted", message: "All used." } },
      }),
      "Failed",
      ["Failed", "Stalled"],
    ],
  ])("a Scan that %s as it is", (_, input, kstatus, summary) => {
    const status = after(input);
    expect([kstatusOf(scanResource(status)), summaryOf(status)]).toEqual([kstatus, summary]);
  });

  test("a Scan that has ended no more as in progress, and since when it is so", () => {
    const running = after(world({ attempts: [withJob()] }));
    const status = after(ended(completed, running));
    expect(kstatusOf(scanResource(status))).toBe("Current");
    expect(status.conditions!.at(-1)).toMatchObject({
      type: "Complete",
      reason: "ReportReceived",
      lastTransitionTime: at(10).toISOString(),
    });
  });

  test("a Scan that goes on as in progress since it began, regardless of what holds it up meanwhile", () => {
    const waiting = after(world({ slot: "waiting" }));
    const running = after(
      world({ attempts: [withJob({}, [{ isRunning: true }])], status: waiting, now: at(50) }),
    );
    expect(running.conditions!.at(-1)).toMatchObject({
      type: "Reconciling",
      reason: running.reason,
      lastTransitionTime: at(10).toISOString(),
    });
  });

  test("a changed Scan as in progress until its new generation was looked at", () => {
    const status = after(ended(completed));
    const { metadata, ...scan } = scanResource(status);
    expect(kstatusOf({ ...scan, metadata: { ...metadata, generation: 2 } })).toBe("InProgress");
  });
});
