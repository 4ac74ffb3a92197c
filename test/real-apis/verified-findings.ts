import { SEVERITIES, type CompletedScan, type Severity } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";

/** A manually verified finding with the reason why it is true. */
export interface Verified {
  /** Severity, check, method and path, as `high data-exposure/cors GET /`. */
  readonly finding: string;
  readonly because: string;
}

/** The findings of at least this severity, in the format of `Verified`. */
export function findingsFrom({ findings }: CompletedScan, least: Severity): string[] {
  return findings
    .flatMap(instancesOf)
    .filter(({ severity }) => SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least))
    .map(({ severity, check, location: { method, path } }) => `${severity} ${check} ${method} ${path}`)
    .toSorted();
}

export const expected = (verified: readonly Verified[]): string[] =>
  verified.map(({ finding }) => finding).toSorted();
