import type { DeliveredOutcome } from "@glovebox/scan-run";
import type { Pin, ScanOrder } from "@glovebox/contract";
import type { ScanStatus } from "@glovebox/k8s";
import type { CanaryReference } from "../canary/protocol.ts";

/** Reads only. Its response becomes part of the world for the next decision. */
export type Query =
  /** Resolve the hosts of the recorded request, once. In `responses.target`. */
  | { readonly ask: "resolveTarget" }
  /** Read the attempt's Job from the API server. In `responses.liveJob`. */
  | { readonly ask: "confirmJob"; readonly attempt: number }
  /** Read the newest warning event of the Job, or of its pod where that is named. In `world.explanation`. */
  | { readonly ask: "explainWait"; readonly attempt: number; readonly pod?: string }
  /** Read the report of the attempt's pod and check its digest. In `responses.report`. */
  | { readonly ask: "readReport"; readonly attempt: number }
  /** Ask the canary of the attempt whether it was alive all the time. In `responses.canary`. */
  | { readonly ask: "attestCanary"; readonly attempt: number };

/** Writes the row, which is then read again for the next decision. */
export type RowCommand =
  /** Charge the account and insert the row, once for each id. A refusal is in `responses.adoption`. */
  | { readonly do: "adopt" }
  /** Bind the row to the Scan, if it has the same request. A refusal is in `responses.binding`. */
  | { readonly do: "bind" }
  /** Record the outcome; only a processing row accepts it. */
  | { readonly do: "recordOutcome"; readonly outcome: DeliveredOutcome };

/**
 * AlreadyExists and NotFound are success. A command that fails ends the plan, and the queue retries. An object that the API server
 * rejects also ends the plan: `world.refusal` has the reason for the next decision.
 */
export type Command =
  | RowCommand
  | { readonly do: "createPolicy"; readonly attempt: number; readonly pins: readonly Pin[] }
  | {
      readonly do: "createJob";
      readonly attempt: number;
      /** Version of its policy. */
      readonly policy: string;
      readonly order: ScanOrder;
      /** The canary that the order names. */
      readonly canary: CanaryReference;
      /** The Secret whose identities its pod mounts. */
      readonly identitiesSecret?: string | undefined;
    }
  /** Start to write the progress of the attempt's pod to the store, in the background. */
  | { readonly do: "followProgress"; readonly attempt: number }
  /** Store what the scanner of the attempt, whose Job exists, has noted of its writes. */
  | { readonly do: "noteWrites"; readonly attempt: number }
  /** The Job with its pods, and the policy after it. */
  | { readonly do: "deleteAttempt"; readonly attempt: number }
  /** The Secret that the API created for this scan alone. */
  | { readonly do: "deleteIdentities"; readonly secret: string }
  /** Replaces the status at the observed resourceVersion: a write from a stale view fails. */
  | { readonly do: "patchStatus"; readonly status: ScanStatus }
  | { readonly do: "deleteScan" };

export type Action = Query | Command;

/** The actions of the rule that decided, in order. */
export interface ReconcilePlan {
  /** The rule that matched, for logs and metrics. */
  readonly rule: string;
  readonly actions: readonly Action[];
  /** Decide again immediately, with the response of a query or the written row. */
  readonly decideAgain?: true;
  /** Reconcile again after this time, unless an event comes before. */
  readonly requeueAfterSeconds?: number;
}

export const isQuery = (action: Action): action is Query => "ask" in action;

/** For logs and metrics. */
export const nameOfAction = (action: Action): Query["ask"] | Command["do"] =>
  isQuery(action) ? action.ask : action.do;
