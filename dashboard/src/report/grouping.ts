import type { Finding } from "@glovebox/contract";

export interface CheckGroup {
  readonly check: string;
  readonly findings: readonly Finding[];
}

/** Findings by the check that found them, in the order of the report: the worst first. */
export const groupByCheck = (findings: readonly Finding[]): CheckGroup[] =>
  [...Map.groupBy(findings, ({ check }) => check)].map(([check, group]) => ({ check, findings: group }));
