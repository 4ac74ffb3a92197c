import type { DeliveredOutcome, Pin, ScanOrder } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import type { CanaryNote } from "../canary/note.ts";

/** Questions: their answer becomes part of the world, and the world is decided on again. */
export type Question =
  /** Charge the account and insert the row, once for each id. Answered by the row, or by `answers.adoption`. */
  | { readonly do: "adopt" }
  /** Note the Scan for the unbound row, if it asks for the same. Answered by the row, or by `answers.binding`. */
  | { readonly do: "bind" }
  /** Resolve the hosts of the request on record, once. Answered by `answers.target`. */
  | { readonly do: "resolveTarget" }
  /** Ask the API server itself for the attempt's Job. Answered by `answers.liveJob`. */
  | { readonly do: "confirmJob"; readonly attempt: number }
  /** Read what Kubernetes says of the Job, or of its pod where that is named. Answered by `answers.explanation`. */
  | { readonly do: "explainWait"; readonly attempt: number; readonly pod?: string }
  /** Read what the attempt's pod left and check its digest. Answered by `answers.report`. */
  | { readonly do: "readReport"; readonly attempt: number }
  /** Ask the canary that the attempt was started beside whether it has lived until now. Answered by `answers.canary`. */
  | { readonly do: "attestCanary"; readonly attempt: number }
  /** Record how the scan ended; only a processing row accepts. Answered by the row. */
  | { readonly do: "recordOutcome"; readonly outcome: DeliveredOutcome };

/**
 * Deeds. AlreadyExists and NotFound are success. The first that fails ends the plan; the queue tries again. An object
 * that the API server refuses ends the plan, too: `answers.refusal` says why, and the world is decided on again.
 */
export type Deed =
  | { readonly do: "createPolicy"; readonly attempt: number; readonly pins: readonly Pin[] }
  | {
      readonly do: "createJob";
      readonly attempt: number;
      /** Version of the policy that seals it. */
      readonly policy: string;
      readonly order: ScanOrder;
      /** The canary that the order names. */
      readonly canary: CanaryNote;
    }
  /** Bring the progress of the attempt's pod to the store from now on, beside all else. */
  | { readonly do: "followProgress"; readonly attempt: number }
  /** The Job with its pods, and the policy after it. */
  | { readonly do: "deleteAttempt"; readonly attempt: number }
  /** Replaces the status, on condition of the observed resourceVersion: a stale view changes nothing. */
  | { readonly do: "patchStatus"; readonly status: ScanStatus }
  | { readonly do: "deleteScan" }
  /** Look again then, should no event come before. */
  | { readonly do: "requeueAfter"; readonly seconds: number };

export type Action = Question | Deed;

/** What one rule wants done, in this order. A question is the only action of its plan. */
export interface Plan {
  /** The rule that matched, for logs and metrics. */
  readonly rule: string;
  readonly actions: readonly Action[];
}

const QUESTIONS: ReadonlySet<Action["do"]> = new Set<Question["do"]>([
  "adopt",
  "bind",
  "resolveTarget",
  "confirmJob",
  "explainWait",
  "readReport",
  "attestCanary",
  "recordOutcome",
]);

/** Whose answer is from elsewhere, and leaves the row as it is. */
const BESIDE_ROW: ReadonlySet<Action["do"]> = new Set<Question["do"]>([
  "resolveTarget",
  "confirmJob",
  "readReport",
  "attestCanary",
]);

/** True when the row need not be read again: whatever ends it meanwhile is met by the write that depends on it. */
export const leavesRow = ({ actions }: Plan): boolean => actions.every((action) => BESIDE_ROW.has(action.do));

/** True when the plan asks: perform it, observe its answer, and decide again at once. */
export const isQuestion = ({ actions }: Plan): boolean =>
  actions.length === 1 && QUESTIONS.has(actions[0]!.do);
