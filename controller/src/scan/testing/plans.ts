import { scanFailure, type ScanFailureCode } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import { decide } from "../decide.ts";
import { type Action, nameOfAction } from "../plan.ts";
import type { World } from "../world.ts";

export const namesOf = (actions: readonly Action[]): string[] => actions.map(nameOfAction);

/** The status that the decision on this world writes. */
export const statusWritten = (world: World): ScanStatus | undefined =>
  decide(world).actions.find((action) => "do" in action && action.do === "patchStatus")?.status;

/** The actions of a plan that records this failure. */
export const failureRecorded = (code: ScanFailureCode, detail?: string) => [
  { do: "recordOutcome", outcome: { status: "failed", failure: scanFailure(code, detail) } },
];

/** The conditions that sum the steps up, in a scan that has not ended and in one that has failed. */
export const RECONCILING = { type: "Reconciling", status: "True" };
export const FAILED = [
  { type: "Failed", status: "True" },
  { type: "Stalled", status: "True" },
];
