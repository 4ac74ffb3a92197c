import { SEVERITIES, type Instance, type CheckSummary, type Report } from "@glovebox/contract";
import { instancesOf } from "./findings.ts";
import { locationKey, passing, locationName } from "./location.ts";

/** What a later report says of what an earlier one saw. */
export type Retest =
  | { readonly is: "unchanged" }
  | { readonly is: "changed" | "not tested"; readonly detail: string }
  /** The check found nothing wrong where it saw this before. */
  | { readonly is: "gone" };

/** A report to look things up in. Reports of releases before 0.4 have no `places`: in them everything unseen is untested. */
export type Retested = Pick<Report, "findings" | "checks" | "places">;

/** Tells of each instance of an earlier report what a later one makes of it. Pure. */
export function retesting(report: Retested, earlier: readonly Instance[]): (seen: Instance) => Retest {
  const instances = report.findings.flatMap(instancesOf);
  const byId = new Map(instances.map((instance) => [instance.id, instance]));
  const known = new Set(earlier.map(({ id }) => id));
  const added = Map.groupBy(
    instances.filter(({ id }) => !known.has(id)),
    locationKey,
  );
  const checks = new Map(report.checks.map((check) => [check.check, check]));
  const hasPassed = passing(report);

  return (seen) => {
    const same = byId.get(seen.id);
    if (same) return same.severity === seen.severity ? { is: "unchanged" } : changedSeverity(seen, same);
    const [moved] = added.get(locationKey(seen)) ?? [];
    if (moved) return { is: "changed", detail: `Now seen at ${locationName(moved.location)}.` };
    const location = locationName(seen.subject ?? seen.location);
    if (hasPassed(seen.check, location)) return { is: "gone" };
    return {
      is: "not tested",
      detail: whyNot(location, { check: checks.get(seen.check), places: report.places }),
    };
  };
}

const changedSeverity = (seen: Instance, now: Instance): Retest => ({
  is: "changed",
  detail: `${now.severity} now, ${seen.severity} before.`,
});

/** True when the severity of an instance that is seen again has become worse. */
export const isWorse = (seen: Instance, now: Instance): boolean =>
  SEVERITIES.indexOf(now.severity) < SEVERITIES.indexOf(seen.severity);

function whyNot(
  location: string,
  { check, places }: { check: CheckSummary | undefined; places: readonly string[] | undefined },
): string {
  if (!check) return "The check is not in that report.";
  if (!places) return "That report does not say what was tested.";
  if (!places.includes(location)) return "The location was not found.";
  return check.reasons[0] ?? "The check had no result there.";
}
