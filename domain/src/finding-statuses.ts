/** The one status of a finding over all scans of a target. */
export const FINDING_STATUSES = ["open", "fixed", "reopened", "accepted", "falsePositive"] as const;
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** The statuses that somebody gave a finding, so that it counts for nothing. */
export const MARK_STATUSES = ["accepted", "falsePositive"] as const satisfies readonly FindingStatus[];
export type MarkStatus = (typeof MARK_STATUSES)[number];

/** The statuses of what is there and to be dealt with. */
export const ACTIVE_STATUSES = ["open", "reopened"] as const satisfies readonly FindingStatus[];
