/** What a scanned API is for, as its owner says; it changes weights and severities. */
export const CONTEXTS = ["financial", "medical", "public", "internal"] as const;
export type ScanContext = (typeof CONTEXTS)[number];
