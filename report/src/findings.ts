import { CATEGORIES, SEVERITIES, type Finding, type Instance, type Severity } from "@glovebox/contract";
import { categoriesOf, gravityOf, instancesOf, locationName, type Mark, type Marks } from "@glovebox/domain";

/** A finding, or its instances that have one mark. */
export interface Part {
  readonly finding: Finding;
  readonly mark?: Mark;
}

/** The mark of an instance: its own, or its finding's. */
export const markOf = (marks: Marks, finding: Finding, { id }: Pick<Instance, "id">) =>
  marks.get(id) ?? marks.get(finding.id);

/**
 * Every finding without the instances that have a mark, then those by their marks. A part keeps the id of the finding unless
 * another part has it: then it has the id of its first instance. Pure.
 */
export function partsOf(findings: readonly Finding[], marks: Marks): Part[] {
  return findings.flatMap((finding) => {
    const groups = Map.groupBy(instancesOf(finding), (instance) => markOf(marks, finding, instance));
    const [only] = groups.keys();
    if (groups.size === 1) return [partOf(finding, only)];
    return [...groups].map(([mark, instances]) => {
      const part = narrowed(finding, instances);
      return partOf(mark && part ? { ...part, id: instances[0]!.id } : part!, mark);
    });
  });
}

const partOf = (finding: Finding, mark: Mark | undefined): Part => ({ finding, ...(mark && { mark }) });

/** A finding at some of its instances; undefined when there are none. */
export function narrowed(
  { alsoAffects: _, ...finding }: Finding,
  instances: readonly Instance[],
): Finding | undefined {
  const [first, ...others] = instances;
  if (!first) return undefined;
  const gravity = gravityOf([first, ...others]);
  return { ...finding, ...first, ...gravity, id: finding.id, instances: [first, ...others] };
}

/** What the weakness is. A report of a release before 0.4 has it in the description only, behind what was observed. */
export const explanationOf = ({ explanation, description, observed = "" }: Finding): string =>
  explanation ?? (description.startsWith(observed) ? description.slice(observed.length).trim() : description);

/** How many there are of each severity, worst first, without those that do not occur. */
const severityCounts = (of: readonly { severity: Severity }[]): [Severity, number][] =>
  SEVERITIES.map((severity): [Severity, number] => [
    severity,
    of.filter((each) => each.severity === severity).length,
  ]).filter(([, count]) => count !== 0);

/** Such as `1 critical, 2 low`. */
export const severitiesText = (of: readonly { severity: Severity }[]): string =>
  severityCounts(of)
    .map(([severity, count]) => `${count} ${severity}`)
    .join(", ");

/** Such as `accepted until 2027-01-31 by ada@example.com: behind the gateway`. */
export function markText({ status, reason, expiresAt, by }: Mark): string {
  const until = expiresAt === undefined ? "" : ` until ${lastDay(expiresAt)}`;
  return `${MARK_NAMES[status]}${until}${by === undefined ? "" : ` by ${by}`}: ${reason}`;
}

/** The last day, in UTC, of which any part is before. */
const lastDay = (expiresAt: string): string =>
  new Date(new Date(expiresAt).getTime() - 1).toISOString().slice(0, 10);

const MARK_NAMES = { accepted: "accepted", falsePositive: "false positive" } as const;

/** The titles of its own category and of the others that it affects. */
export const categoryTitles = (finding: Finding): string =>
  categoriesOf(finding)
    .map((category) => CATEGORIES[category].title)
    .join(", ");

/** The locations of a finding, each once, in their order. */
export const locationsOf = (finding: Finding): string[] => [
  ...new Set(instancesOf(finding).map(({ location }) => locationName(location))),
];
