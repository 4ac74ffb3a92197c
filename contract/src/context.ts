/** The purpose of the scanned API; it changes weights and severities. */
export const CONTEXTS = ["financial", "medical", "public", "internal"] as const;
export type ScanContext = (typeof CONTEXTS)[number];
