/** Worst first: the order in which findings are sorted (docs/specification.md, "Finding"). */
export const SEVERITIES = ["critical", "high", "medium", "low", "info"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** How sure the scanner is: `confirmed` shows the effect itself, `firm` strong indirect proof, `tentative` a lead. */
export const CONFIDENCES = ["confirmed", "firm", "tentative"] as const;
export type Confidence = (typeof CONFIDENCES)[number];
