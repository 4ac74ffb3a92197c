import { type Finding } from "@glovebox/contract";
import { locationName } from "@glovebox/domain";

/** A finding while a scan runs: what was observed and what the weakness is are apart. */
export type Detected = Omit<Finding, "description"> & Required<Pick<Finding, "observed" | "explanation">>;

/** The finding as a report has it, with the description that its readers get. Pure. */
export function described(finding: Detected): Finding {
  const { observed, explanation, instances = [] } = finding;
  const { size } = new Set(instances.map(({ location }) => locationName(location)));
  const seenAt = size > 1 ? [`Seen at ${size} locations, of which this is the first.`] : [];
  return { ...finding, description: [observed, ...seenAt, explanation].join(" ") };
}
