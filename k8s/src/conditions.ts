/** The steps on the way of a Scan, in the order in which they come true. */
const STEPS = {
  Accepted: "The scan has an account that pays for it, and is on record there",
  TargetResolved: "The target's name was resolved, once, to addresses that may be scanned",
  Sealed: "The network policy is in place, and no other policy opens more",
  IsolationProven: "The scanner found the canary blocked and the target reachable before its first request",
  ReportRecorded: "The report, or the reason why there is none, is on record",
} as const;
type StepType = keyof typeof STEPS;
export const STEP_TYPES = Object.keys(STEPS) as [StepType, ...StepType[]];

/**
 * What all steps come to, by the names that kstatus, `kubectl wait` and with them Flux and others look for
 * (sigs.k8s.io/cli-utils, pkg/kstatus). One is there only while it is True.
 */
export const SUMMARY = {
  Reconciling: "The scan has not ended",
  Complete: "The scan ended with a report",
  Failed: "The scan ended without a report",
  Stalled: "The same as Failed: nothing more is done for the scan",
} as const;
type SummaryType = keyof typeof SUMMARY;
export const SUMMARY_TYPES = Object.keys(SUMMARY) as [SummaryType, ...SummaryType[]];

export type ConditionType = StepType | SummaryType;

/** Why a condition is as it is: for programs. Each with what it means. */
export const REASONS = {
  Charged: "The account was found and charged",
  InvalidTarget: "url or specUrl cannot be scanned as written",
  AccountMissing: "Neither the spec nor the namespace names an account",
  AccountNotAllowed: "The namespace may not use the account that the spec names",
  TargetNotAllowed: "The namespace may not scan a host that the spec names",
  UnknownAccount: "No account has this name",
  IdentityMismatch: "The record of the scan belongs to another Scan, or asks for something else",
  QuotaExhausted: "The account has used all its scans of the month",
  Resolved: "All addresses of the target may be scanned",
  NotResolved: "The name has no address, or could not be looked up",
  TargetRefused: "An address of the target is one that the egress policy refuses",
  WaitingForSlot: "As many scans as allowed are running",
  QueuedTooLong: "The scan did not get its turn in time",
  PolicyInPlace: "The network policy opens the pinned addresses and nothing else",
  AwaitingPolicy: "The network policy of the next attempt is still to be made",
  SealBroken: "The network policy of the scan was removed or changed while its pod ran",
  ForeignPolicyWidensEgress: "Another policy that selects the scan's pod opens more than the target",
  CanaryBlocked: "The canary was blocked while the target answered",
  CanaryReachable: "The canary could still be reached after the time allowed",
  CanaryRefused:
    "The canary refused, and the network's refusal cannot be told from that of a canary that died",
  CanaryLost:
    "The canary did not live, reached by other pods, until the proof could be confirmed, at any attempt",
  CanaryFamilyMissing: "The scan pod has an address of a family in which no canary listens",
  NoCanary: "No canary is known to be reachable for pods without a seal: no scan can prove its isolation",
  NotObserved: "The scanner ended before it could prove its isolation",
  RecordMissing: "The database has no record of the scan: it is another one than before, or was emptied",
  ReportReceived: "The report arrived whole and is on record",
  TargetFailed: "The target could not be scanned",
  Cancelled: "The scan was cancelled or deleted",
  DeadlineExceeded: "The scan did not end within its deadline",
  CouldNotStart: "The scanner's pod could not be started",
  NoPodCreated: "Kubernetes has not created the pod of the scan's Job yet",
  PodNotStarted: "The scan's pod is there and its container has not started yet",
  ScannerFailed: "The scanner ended without a report, at every attempt",
  ResultLost: "The report did not arrive whole, at any attempt",
  ReportMalformed: "The report arrived as it was sent, and is none that a scanner makes",
} as const;
export type Reason = keyof typeof REASONS;
export const REASON_NAMES = Object.keys(REASONS) as [Reason, ...Reason[]];
