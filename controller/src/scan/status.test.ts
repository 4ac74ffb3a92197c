import { scanFailure, type ScanFailureCode } from "@glovebox/contract";
import { describe, expect, test } from "vitest";
import { statusWritten } from "./testing/plans.ts";
import { at, completeJob, scanResource, isolated, withJob, world } from "./testing/worlds.ts";
import type { World } from "./world.ts";

const absent = { row: { state: "absent" } } as const;
const failed = (code: ScanFailureCode, detail?: string) => ({
  row: { state: "failed", failure: scanFailure(code, detail) } as const,
});
const refusal = { what: "Job", message: "exceeded quota: pods", at: at(9) } as const;

describe("the reason of a scan at a glance", () => {
  test.each<[string, World, string, string]>([
    ["that waits for its turn", world({ slot: "waiting" }), "Pending", "WaitingForSlot"],
    ["whose Job is announced", world({ attempts: [isolated()] }), "Running", "PolicyInPlace"],
    [
      "without an account left",
      world({ ...absent, responses: { adoption: { refused: "QuotaExhausted", message: "All used." } } }),
      "Failed",
      "QuotaExhausted",
    ],
    ["that is not what it says", world({ row: { state: "ofAnother" } }), "Failed", "IdentityMismatch"],
    ["whose target is refused", world(failed("egress_refused")), "Failed", "TargetRefused"],
    ["whose name is nobody's", world(failed("name_not_resolved")), "Failed", "NotResolved"],
    ["that another policy unseals", world(failed("egress_widened")), "Failed", "ForeignPolicyWidensEgress"],
    ["that was cancelled", world(failed("cancelled")), "Failed", "Cancelled"],
    [
      "that has completed",
      world({ row: { state: "completed", score: 88, grade: "B", findings: 3 }, attempts: [completeJob()] }),
      "Completed",
      "ReportReceived",
    ],
  ])("%s", (_, input, phase, reason) => {
    expect(statusWritten(input)).toMatchObject({ phase, reason });
  });

  test("the reason of a scan at a glance whose Job is refused has the API server's words for people", () => {
    const input = world({ attempts: [isolated()], refusal });
    expect(statusWritten(input)).toMatchObject({
      phase: "Pending",
      reason: "CouldNotStart",
      message: "The API server rejects its Job: exceeded quota: pods",
    });
  });

  test("the reason of a scan at a glance is its present one: what held it up is forgotten once it runs", () => {
    const held = statusWritten(world({ attempts: [isolated()], refusal }));
    const running = statusWritten(world({ attempts: [withJob()], scan: scanResource(held) }));
    expect(running).toMatchObject({ phase: "Running", reason: "Charged", message: "" });
  });

  test("the reason of a scan at a glance of a failure goes before all steps that were done", () => {
    const started = statusWritten(world({ attempts: [isolated()] }));
    const ended = statusWritten(world({ ...failed("target_timeout"), scan: scanResource(started) }));
    expect(ended).toMatchObject({ reason: "TargetFailed", message: scanFailure("target_timeout").message });
  });
});
