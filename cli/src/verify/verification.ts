import { instancesOf, retesting, type Retested } from "@glovebox/domain";
import { type Instance, type Report, type ScanOrder } from "@glovebox/contract";

export const RESULTS = ["confirmed", "changed", "gone", "not reachable"] as const;

/** The results of examining a location again. */
export interface Verified {
  /** As the report has it; where it was seen again, as it was seen now. */
  readonly instance: Instance;
  readonly is: (typeof RESULTS)[number];
  readonly detail?: string;
}

/** What the scanner is ordered to examine again: the same checks on the same subjects. Pure. */
export const recheckOf = ({ findings }: Pick<Report, "findings">): NonNullable<ScanOrder["only"]> =>
  findings
    .flatMap(instancesOf)
    .map(({ check, subject, location }) => ({ check, location: subject ?? location }));

/** What the examination of those locations says of each instance of a report. Pure. */
export function verificationOf({ findings }: Pick<Report, "findings">, again: Retested): Verified[] {
  const before = findings.flatMap(instancesOf);
  const retest = retesting(again, before);
  const now = new Map(again.findings.flatMap(instancesOf).map((instance) => [instance.id, instance]));
  return before.map((instance): Verified => {
    const became = retest(instance);
    const seen = now.get(instance.id) ?? instance;
    switch (became.is) {
      case "unchanged":
        return { instance: seen, is: "confirmed" };
      case "changed":
        return { instance: seen, is: "changed", detail: became.detail };
      case "gone":
        return { instance, is: "gone" };
      case "not tested":
        return { instance, is: "not reachable", detail: became.detail };
    }
  });
}

/** 1 while something is still there, 3 when nothing is but something could not be examined, 0 when every instance is `gone`. */
export function exitCodeOf(verified: readonly Verified[]): 0 | 1 | 3 {
  if (verified.some(({ is }) => is === "confirmed" || is === "changed")) return 1;
  return verified.some(({ is }) => is === "not reachable") ? 3 : 0;
}
