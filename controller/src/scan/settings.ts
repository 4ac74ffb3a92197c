import { DEFAULT_LIMITS, type IsolationOrder, type ScanOrder } from "@glovebox/contract";
import { MAX_ATTEMPTS } from "@glovebox/scan-run";

/** Settings of scans. Times are in seconds. */
export interface ScanSettings {
  /** Namespace of all Jobs, pods and policies, and of the Scans that the API creates. */
  readonly namespace: string;
  readonly maxAttempts: number;
  /** Attempts beyond those that a scan may lose because their canary was lost. */
  readonly maxCanaryLosses: number;
  readonly limits: ScanOrder["limits"];
  /** Name of the service account that scan pods run as. */
  readonly serviceAccount: string;
  /** At addresses that no host has. Without one, a canary that refuses connections is not a proof. */
  readonly controlEndpoints: IsolationOrder["controlEndpoints"];
  /** How long the scanner waits for its policy to take effect. */
  readonly isolationWaitSeconds: number;
  /** How long Kubernetes may take to accept an attempt's Job, and then to create its pod. */
  readonly podWaitSeconds: number;
  /** How long a pod may take until its image is there and its container runs. */
  readonly startSeconds: number;
  /** How long a pod may wait for a node. */
  readonly unschedulableSeconds: number;
  /** How long a node may be unreachable before its scan is tried elsewhere. */
  readonly nodeLostSeconds: number;
  /** How long a scan may wait in the queue. */
  readonly queueSeconds: number;
  /** What the watchdog allows on top of a deadline. */
  readonly graceSeconds: number;
  /** How long the Job and the policy of an ended scan are kept. */
  readonly jobTtlSeconds: number;
  /** How long an ended Scan is kept. */
  readonly ttlSeconds: number;
}

export const DEFAULT_SCAN_SETTINGS: Omit<ScanSettings, "namespace"> = {
  maxAttempts: MAX_ATTEMPTS,
  serviceAccount: "default",
  maxCanaryLosses: 9,
  limits: DEFAULT_LIMITS,
  controlEndpoints: [],
  isolationWaitSeconds: 30,
  podWaitSeconds: 600,
  startSeconds: 120,
  unschedulableSeconds: 300,
  nodeLostSeconds: 60,
  queueSeconds: 24 * 3600,
  graceSeconds: 60,
  jobTtlSeconds: 300,
  ttlSeconds: 24 * 3600,
};

/** The deadline of the pod, from its creation, including the pull of its image. */
export const podDeadlineSeconds = (settings: ScanSettings): number =>
  settings.startSeconds +
  settings.isolationWaitSeconds +
  settings.limits.deadlineSeconds +
  settings.graceSeconds;

/** The deadline of the Job, from its creation, including the waits for a pod and for a node. */
export const jobDeadlineSeconds = (settings: ScanSettings): number =>
  settings.podWaitSeconds + settings.unschedulableSeconds + podDeadlineSeconds(settings);

/** The deadline of the watchdog: the deadline of the Job, and a grace period for the rules that handle it. */
export const attemptDeadlineSeconds = (settings: ScanSettings): number =>
  jobDeadlineSeconds(settings) + settings.graceSeconds;

/** Maximum time from the creation of a Scan to its end. */
export const scanDeadlineSeconds = (settings: ScanSettings): number =>
  settings.queueSeconds +
  (settings.maxAttempts + settings.maxCanaryLosses) * attemptDeadlineSeconds(settings);
