import { CATEGORY_KEYS } from "./categories.ts";
import type { Finding } from "./finding.ts";
import { SEVERITIES } from "./severity.ts";

/** Severity, then category in the specification's order, then location: the same target gives the same order. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    CATEGORY_KEYS.indexOf(a.category) - CATEGORY_KEYS.indexOf(b.category) ||
    compareText(a.location.path, b.location.path) ||
    compareText(a.location.method, b.location.method) ||
    compareText(a.location.parameter ?? "", b.location.parameter ?? "") ||
    compareText(a.check, b.check) ||
    compareText(a.id, b.id)
  );
}

// Not localeCompare: the order must not depend on the machine's locale.
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
