import type { Finding, Instance } from "@glovebox/contract";

export interface CheckGroup {
  readonly check: string;
  readonly findings: readonly Finding[];
}

/** Findings by the check that found them, in the order of the report: the worst first. */
export const groupByCheck = (findings: readonly Finding[]): CheckGroup[] =>
  [...Map.groupBy(findings, ({ check }) => check)].map(([check, group]) => ({ check, findings: group }));

/** A place at which a finding was seen. */
export type Place = Pick<Instance, "check" | "location" | "evidence" | "observed" | "subject">;

/** All places of a finding; that of an older report is its only one. */
export function placesOf(finding: Finding): readonly Place[] {
  if (finding.instances) return finding.instances;
  const { check, location, evidence, observed = finding.description, subject } = finding;
  return [{ check, location, evidence, observed, ...(subject && { subject }) }];
}
