import type { DeliveredOutcome, Pin, ScanOrder } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import type { CanaryReference } from "../canary/protocol.ts";

/** Changes nothing. Its answer becomes part of the world, which is decided on again. */
export type Query =
  /** Resolve the hosts of the request on record, once. Answered by `answers.target`. */
  | { readonly ask: "resolveTarget" }
  /** Ask the API server itself for the attempt's Job. Answered by `answers.liveJob`. */
  | { readonly ask: "confirmJob"; readonly attempt: number }
  /** Read the newest warning event of the Job, or of its pod where that is named. Answered by `world.explanation`. */
  | { readonly ask: "explainWait"; readonly attempt: number; readonly pod?: string }
  /** Read what the attempt's pod left and check its digest. Answered by `answers.report`. */
  | { readonly ask: "readReport"; readonly attempt: number }
  /** Ask the canary that the attempt was started beside whether it has lived until now. Answered by `answers.canary`. */
  | { readonly ask: "attestCanary"; readonly attempt: number };

/** Writes the row, which is read again and decided on at once. */
export type RowCommand =
  /** Charge the account and insert the row, once for each id. A refusal is in `answers.adoption`. */
  | { readonly do: "adopt" }
  /** Note the Scan for the unbound row, if it asks for the same. A refusal is in `answers.binding`. */
  | { readonly do: "bind" }
  /** Record how the scan ended; only a processing row accepts. */
  | { readonly do: "recordOutcome"; readonly outcome: DeliveredOutcome };

/**
 * AlreadyExists and NotFound are success. The first command that fails ends the plan; the queue tries again. An object
 * that the API server refuses ends the plan, too: `world.refusal` says why, and the world is decided on again.
 */
export type Command =
  | RowCommand
  | { readonly do: "createPolicy"; readonly attempt: number; readonly pins: readonly Pin[] }
  | {
      readonly do: "createJob";
      readonly attempt: number;
      /** Version of the policy that seals it. */
      readonly policy: string;
      readonly order: ScanOrder;
      /** The canary that the order names. */
      readonly canary: CanaryReference;
    }
  /** Bring the progress of the attempt's pod to the store from now on, beside all else. */
  | { readonly do: "followProgress"; readonly attempt: number }
  /** The Job with its pods, and the policy after it. */
  | { readonly do: "deleteAttempt"; readonly attempt: number }
  /** Replaces the status, on condition of the observed resourceVersion: a stale view changes nothing. */
  | { readonly do: "patchStatus"; readonly status: ScanStatus }
  | { readonly do: "deleteScan" };

export type Action = Query | Command;

/** What one rule wants done, in this order. */
export interface ReconcilePlan {
  /** The rule that matched, for logs and metrics. */
  readonly rule: string;
  readonly actions: readonly Action[];
  /** Decide again at once: on the answer of a query, or on a row that was written. */
  readonly decideAgain?: true;
  /** Look again then, should no event come before. */
  readonly requeueAfterSeconds?: number;
}

export const isQuery = (action: Action): action is Query => "ask" in action;

/** For logs and metrics. */
export const nameOfAction = (action: Action): Query["ask"] | Command["do"] =>
  isQuery(action) ? action.ask : action.do;
