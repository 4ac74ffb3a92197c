import type { DeliveredOutcome } from "@glovebox/scan-run";
import type { Grade, Pin, ScanFailure, ScanRequest } from "@glovebox/contract";
import type { Reason, ScanResource } from "@glovebox/k8s";
import type { Warning } from "@glovebox/kube";
import type { CanaryReference } from "../canary/protocol.ts";
import type { Attestation } from "../canary/canaries.ts";
import type { JobView } from "../kubernetes/job-view.ts";
import type { PodView } from "../kubernetes/pod-view.ts";
import type { PolicyObject } from "../policies/conflicting-policies.ts";
import type { ScanSettings } from "./settings.ts";

/** All that a decision on one Scan may depend on. Created by `observe`; `decide` reads nothing else. */
export interface World extends Recent {
  /** By the API server's clock, as every time here is. */
  readonly now: Date;
  readonly settings: ScanSettings;
  /** The Scan from the cache; once deleted, its last known state. */
  readonly scan: ScanResource;
  /** The Scan was deleted, or is being deleted: a finalizer may keep it for long. */
  readonly isDeleted: boolean;
  /** The Scan does not exist any more. */
  readonly isRemoved: boolean;
  readonly scanId: string;
  /** The row as it was just read; not read once the status says that the scan has finished. */
  readonly row: RowState;
  /** What the cache holds of each attempt, in ascending order. */
  readonly attempts: readonly AttemptView[];
  /** Every policy object of the cluster that could select the scan's pod, including ours. */
  readonly policies: readonly PolicyObject[];
  /** Labels of the scan's namespace, for policies that select by it. */
  readonly namespaceLabels: Readonly<Record<string, string>>;
  /** Of a Scan of another namespace that names a Secret: those that it may name. */
  readonly allowedSecrets?: ReadonlySet<string> | undefined;
  /** The attempt whose progress is, or was last, followed. */
  readonly followedAttempt?: number | undefined;
  /** A reachable canary for the next attempt, if any. */
  readonly canary?: CanaryReference | undefined;
  /** Whether the fair queue has a slot for it. */
  readonly slot: "granted" | "waiting";
  readonly responses: QueryResponses;
}

export type RowState =
  | { readonly state: "notRead" }
  | { readonly state: "absent" }
  /** It exists and is not bound to a Scan yet. */
  | { readonly state: "unbound" }
  /** It is bound to another Scan. */
  | { readonly state: "ofAnother" }
  /** The request as it was charged, in normal form: the order is made from it, not from a spec that may have changed since. */
  | { readonly state: "processing"; readonly request: ScanRequest }
  | { readonly state: "completed"; readonly score: number; readonly grade: Grade; readonly findings: number }
  | { readonly state: "failed"; readonly failure: ScanFailure };

/** One attempt at a scan: its policy, its Job and the Job's pods, as far as the cache shows them. */
export interface AttemptView {
  /** 1 for the first. */
  readonly number: number;
  readonly policy?: PolicyView | undefined;
  readonly job?: JobView | undefined;
  readonly pods: readonly PodView[];
}

export interface PolicyView {
  /** The pins that it was made for. */
  readonly pins: readonly Pin[];
  /** Its uid and its generation, which goes up with every change of its spec. */
  readonly version: string;
  /** Its spec is the one that is made for these pins. */
  readonly isAsMade: boolean;
}

/** Recent writes and responses that the caches do not show (overlay.ts). */
export interface Recent {
  /** The attempt whose Job was made or seen last. */
  readonly madeAttempt?: number | undefined;
  /** UID of the last Job of the scan that was seen; it may be deleted and leave pods. */
  readonly seenJobUid?: string | undefined;
  /** What the API server refused last. */
  readonly refusal?: CreationRefusal | undefined;
  /** The last warning event about a pod that is missing or does not start. */
  readonly explanation?: Explanation | undefined;
  /** When something of the scan was last deleted. */
  readonly deletedAt?: Date | undefined;
}

/** The responses to queries in this reconciliation, and refusals of the store. */
export interface QueryResponses {
  readonly adoption?: { readonly refused: Reason; readonly message: string } | undefined;
  /** The unbound row is not this Scan's. */
  readonly binding?: "refused" | undefined;
  readonly target?: TargetResponse | undefined;
  /** Whether the attempt's Job exists, asked of the API server instead of the cache. */
  readonly liveJob?: { readonly attempt: number; readonly exists: boolean } | undefined;
  readonly report?: ReportResponse | undefined;
  /** Why the policies of the cluster cannot be read, where that was needed. */
  readonly policiesUnread?: string | undefined;
  /** Whether the attempt's canary was alive from before its Job until after its report was read. */
  readonly canary?: ({ readonly attempt: number } & Attestation) | undefined;
}

/** The API server rejected an object of the attempt: a quota or an admission webhook, and its message. */
export interface CreationRefusal {
  readonly what: "Job" | "NetworkPolicy";
  readonly message: string;
  readonly at: Date;
}

/** The newest warning about the Job or the pod of an attempt; undefined if there was none, or it may not be read. */
export interface Explanation {
  readonly attempt: number;
  readonly warning: Warning | undefined;
  readonly at: Date;
}

export type TargetResponse =
  | { readonly ok: true; readonly pins: readonly Pin[] }
  | { readonly ok: false; readonly failure: ScanFailure };

export type ReportResponse = { readonly attempt: number } & (
  | { readonly how: "delivered"; readonly outcome: DeliveredOutcome }
  /** The log no longer exists, or does not match its digest; `detail` has the reason. */
  | { readonly how: "lost"; readonly detail: string }
  /** It matches its digest, and is not a valid report. */
  | { readonly how: "malformed"; readonly detail: string }
);

/** The Scan is in the scan namespace, where owner references delete its objects. */
export const isInScanNamespace = ({ scan, settings }: World): boolean =>
  scan.metadata.namespace === settings.namespace;

/** The current attempt: the attempt of the status, or a later one that has a Job. */
export const currentAttempt = ({ scan, attempts }: World): number =>
  Math.max(scan.status?.attempt ?? 1, ...attempts.filter(({ job }) => job).map(({ number }) => number));

/** The current attempt in the caches; without objects if there are none. */
export function currentAttemptView(world: World): AttemptView {
  const number = currentAttempt(world);
  return world.attempts.find((attempt) => attempt.number === number) ?? { number, pods: [] };
}

/** Says which containers of the current attempt's pods an admission webhook added; undefined if there are none. */
export function noteOnInjectedContainers(world: World): string | undefined {
  const names = new Set(
    currentAttemptView(world).pods.flatMap(({ injectedContainers = [] }) => injectedContainers),
  );
  if (names.size === 0) return undefined;
  const what = names.size === 1 ? "a container" : "containers";
  return `The pod of the scan has ${what} that Glovebox did not create: ${[...names].join(", ")}.`;
}

/** @throws where the current attempt has no Job: then there is no pod to read from. */
export function jobUidOf(world: World): string {
  const { job } = currentAttemptView(world);
  if (!job) throw new Error("Without a Job there is no pod to read from");
  return job.uid;
}
