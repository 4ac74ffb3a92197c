/** The steps of a Scan, in the order in which they become true. */
const STEPS = {
  Accepted: "The account was found and charged, and the scan is in the database",
  TargetResolved: "The target's name was resolved, and all its addresses may be scanned",
  Sealed: "The NetworkPolicy of the current attempt is unchanged, and no other policy allows more",
  IsolationProven: "The scanner found the canary blocked and the target reachable before its first request",
  ReportRecorded: "The report, or the reason for its absence, is in the database",
} as const;
type StepType = keyof typeof STEPS;
export const STEP_TYPES = Object.keys(STEPS) as [StepType, ...StepType[]];

/**
 * A summary of all steps, with the names that kstatus, `kubectl wait` and so Flux and others read
 * (sigs.k8s.io/cli-utils, pkg/kstatus). Each is present only while it is True.
 */
export const SUMMARY = {
  Reconciling: "The scan has not ended",
  Complete: "The scan ended with a report",
  Failed: "The scan ended without a report",
  Stalled: "Set together with Failed: nothing more is done for the scan",
} as const;
type SummaryType = keyof typeof SUMMARY;
export const SUMMARY_TYPES = Object.keys(SUMMARY) as [SummaryType, ...SummaryType[]];

export type ConditionType = StepType | SummaryType;

/** The `reason` of a condition, for programs, each with its meaning. */
export const REASONS = {
  Charged: "The account was found and charged",
  InvalidTarget: "url or specUrl is not a URL that can be scanned",
  AccountMissing: "Neither the spec nor the namespace names an account",
  AccountNotAllowed: "The namespace may not use the account that the spec names",
  TargetNotAllowed: "The namespace may not scan a host that the spec names",
  IdentitiesNotAllowed: "The scan may not use the Secret that spec.identitiesSecretRef names",
  ActiveModeNotAllowed: "The account may not scan in active mode",
  UnknownAccount: "No account has this name",
  IdentityMismatch: "The row of the scan in the database belongs to another Scan, or has a different spec",
  QuotaExhausted: "The account has used all scans of its plan for this month",
  Resolved: "All addresses of the target may be scanned",
  NotResolved: "The host name has no address, or the name servers did not respond",
  TargetRefused: "The egress policy refuses an address of the target",
  WaitingForSlot: "The maximum number of concurrent scans is running",
  QueuedTooLong: "The scan waited too long in the queue",
  PolicyInPlace: "The network policy allows the pinned addresses and nothing else",
  AwaitingPolicy: "The network policy of the next attempt has not been created yet",
  SealBroken: "The network policy of the scan was removed or changed while its pod ran",
  ForeignPolicyWidensEgress: "Another policy that selects the scan's pod allows more than the target",
  PolicyApiUnavailable: "An API of policies that could widen the egress of the scan cannot be read",
  CanaryBlocked: "The canary was blocked while the target responded",
  CanaryReachable: "The scan pod still reached the canary when the allowed time was over",
  CanaryRefused:
    "The connection to the canary was refused: either the network rejects it, or the canary has crashed",
  CanaryLost:
    "In every attempt the canary restarted, or was unreachable for other pods, before the proof was confirmed",
  CanaryFamilyMissing: "The scan pod has an address of a family (IPv4, IPv6) in which no canary listens",
  NoCanary: "No canary is reachable, so no scan can prove its isolation",
  NotObserved: "The scanner exited before it proved its isolation",
  RecordMissing: "The database has no record of the scan: it was replaced or emptied",
  ReportReceived: "The report arrived complete and was recorded",
  TargetFailed: "The target could not be scanned",
  Cancelled: "The scan was cancelled or deleted",
  DeadlineExceeded: "The scan did not end within its deadline",
  CouldNotStart: "The scanner's pod could not be started",
  NoPodCreated: "Kubernetes has not created the pod of the scan's Job yet",
  PodNotStarted: "The scan's pod exists, and its container has not started yet",
  VolumeNotMounted:
    "A volume of the scan's pod cannot be mounted: a Secret or ConfigMap is missing, or lacks the key",
  ScannerFailed: "The scanner exited without a report in every attempt",
  ResultLost: "The report was incomplete in every attempt",
  ReportMalformed: "The report arrived unchanged, but it is not a valid report",
} as const;
export type Reason = keyof typeof REASONS;
export const REASON_NAMES = Object.keys(REASONS) as [Reason, ...Reason[]];
