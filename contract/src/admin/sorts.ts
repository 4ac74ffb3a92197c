/** The orders in which the lists of the admin interface can be asked for. */

/** Worst first, and among those the newest; or by the time at which they were first recorded. */
export const FINDING_SORTS = ["severity", "newest", "oldest"] as const;
export type FindingSort = (typeof FINDING_SORTS)[number];

/** Newest or oldest first by their submission; or by their score, those without one left out. */
export const SCAN_SORTS = ["newest", "oldest", "worst", "best"] as const;
export type ScanSort = (typeof SCAN_SORTS)[number];

export const TARGET_SORTS = ["recent", "worst", "url"] as const;
export type TargetSort = (typeof TARGET_SORTS)[number];
