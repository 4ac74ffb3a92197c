import {
  SEVERITIES,
  type CallerAccess,
  type Confidence,
  type Feature,
  type Grade,
  type Plan,
  type Role,
  type ScanContext,
  type ScanState,
  type Severity,
} from "@glovebox/contract";
import type { FindingStatus } from "@glovebox/domain";

/** What the values of the interface are called on the page, in the order in which they are listed. */
export const SEVERITY_LABELS: Record<Severity, string> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
  info: "Info",
};
export const CONFIDENCE_LABELS: Record<Confidence, string> = {
  confirmed: "Confirmed",
  firm: "Firm",
  tentative: "Tentative",
};
export const STATUS_LABELS: Record<FindingStatus, string> = {
  open: "Open",
  reopened: "Reopened",
  accepted: "Accepted",
  falsePositive: "False positive",
  fixed: "Fixed",
};
export const SCAN_LABELS: Record<ScanState, string> = {
  processing: "Running",
  completed: "Completed",
  failed: "Failed",
};
export const CONTEXT_LABELS: Record<ScanContext, string> = {
  public: "Public",
  financial: "Financial",
  medical: "Medical",
  internal: "Internal",
};
export const ACCESS_LABELS: Record<CallerAccess, string> = {
  allowed: "Allowed",
  different: "Different data",
  refused: "Refused",
  notFound: "Not found",
  noAnswer: "No response",
  notCalled: "Not called",
};
export const GRADE_LABELS: Record<Grade, string> = { A: "A", B: "B", C: "C", D: "D", F: "F" };

export const ROLE_LABELS: Record<Role, string> = { owner: "Owner", member: "Member", viewer: "Viewer" };
export const PLAN_LABELS: Record<Plan, string> = {
  free: "Free",
  starter: "Starter",
  pro: "Pro",
  enterprise: "Enterprise",
};

const FEATURE_LABELS: Record<Feature, string> = {
  webhooks: "webhooks",
  schedules: "schedules",
  reportExports: "report exports",
  authenticatedScanning: "authenticated scanning",
};
export const featuresInWords = (features: readonly Feature[]): string =>
  features.length === 0 ? "None" : features.map((feature) => FEATURE_LABELS[feature]).join(", ");

/** The keys of a table of labels, in its order. */
export const keysOf = <Key extends string>(labels: Record<Key, string>): Key[] =>
  Object.keys(labels) as Key[];

/** The findings of all severities together. */
export const totalOf = (counts: Readonly<Record<Severity, number>>): number =>
  SEVERITIES.reduce((sum, severity) => sum + counts[severity], 0);
