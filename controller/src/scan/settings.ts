import { DEFAULT_LIMITS, type IsolationOrder, type ScanOrder } from "@glovebox/contract";

/** What an operator may set of the way of a scan. Times in seconds. */
export interface ScanSettings {
  /** Where Jobs, pods and policies are, and the Scans that the API makes. Scans of other namespaces have theirs here, too. */
  readonly namespace: string;
  readonly maxAttempts: number;
  /** Attempts beyond those that a scan may lose because their canary was lost. */
  readonly maxCanaryLosses: number;
  readonly limits: ScanOrder["limits"];
  /** Name of the service account that scan pods run as. */
  readonly serviceAccount: string;
  /** At addresses that no host has. Without one, a canary that refuses connections is no proof. */
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
  /** How long a scan may wait for its turn. */
  readonly queueSeconds: number;
  /** What the watchdog allows on top of a deadline. */
  readonly graceSeconds: number;
  /** How long the Job and the policy of an ended scan stay. */
  readonly jobTtlSeconds: number;
  /** How long an ended Scan stays. */
  readonly ttlSeconds: number;
}

export const DEFAULT_SCAN_SETTINGS: Omit<ScanSettings, "namespace"> = {
  maxAttempts: 3,
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

/** The pod's own deadline, which its node holds: from when it is there, waiting for an image included. */
export const podDeadlineSeconds = (settings: ScanSettings): number =>
  settings.startSeconds +
  settings.isolationWaitSeconds +
  settings.limits.deadlineSeconds +
  settings.graceSeconds;

/** The Job's, which Kubernetes holds: from its creation, so waiting for a pod and for a node is added. */
export const jobDeadlineSeconds = (settings: ScanSettings): number =>
  settings.podWaitSeconds + settings.unschedulableSeconds + podDeadlineSeconds(settings);

/** The watchdog's: the same, and grace for the rule that should have acted on it. */
export const attemptDeadlineSeconds = (settings: ScanSettings): number =>
  jobDeadlineSeconds(settings) + settings.graceSeconds;

/** From the creation of the Scan to its end, whatever happens. */
export const scanDeadlineSeconds = (settings: ScanSettings): number =>
  settings.queueSeconds +
  (settings.maxAttempts + settings.maxCanaryLosses) * attemptDeadlineSeconds(settings);
