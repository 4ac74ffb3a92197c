import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import {
  CATEGORY_KEYS,
  CONFIDENCES,
  SEVERITIES,
  type Finding,
  type Instance,
  type Location,
} from "@glovebox/contract";

export type Gravity = Pick<Finding, "severity" | "confidence">;

/** How bad a finding with these instances is, and what it affects beside the category of the first, which names it. Pure. */
export function gravityOf(
  instances: readonly [Instance, ...Instance[]],
): Pick<Finding, "severity" | "confidence" | "alsoAffects"> {
  const [{ category: own }] = instances;
  const { severity, confidence } = instances.reduce((worst, each) =>
    compareGravity(each, worst) < 0 ? each : worst,
  );
  const alsoAffects = CATEGORY_KEYS.filter(
    (category) => category !== own && instances.some((each) => each.category === category),
  );
  return { severity, confidence, ...(alsoAffects.length > 0 && { alsoAffects }) };
}

/** The more severe first; of equal severity what is more certain. */
export const compareGravity = (a: Gravity, b: Gravity): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence);

/** The categories whose findings and scores have it: its own first. */
export const categoriesOf = ({
  category,
  alsoAffects = [],
}: Pick<Finding, "category" | "alsoAffects">): Finding["category"][] => [category, ...alsoAffects];

/** The id of what a check sees at a location, in every scan. */
export const instanceId = (check: string, { method, path, parameter }: Location): string =>
  shortHash([check, method, path, parameter ?? null]);

/** Sixteen hexadecimal digits of the SHA-256 of a JSON value. */
export const shortHash = (value: unknown): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(value)))).slice(0, 16);

/** Every instance of a weakness; a finding of an older report is its only one. */
export function instancesOf(
  finding: Omit<Finding, "description"> & Partial<Pick<Finding, "description">>,
): readonly Instance[] {
  if (finding.instances) return finding.instances;
  const { check, category, title, severity, confidence, location, subject, evidence } = finding;
  return [
    {
      ...{
        id: instanceId(check, location),
        check,
        category,
        title,
        severity,
        confidence,
        location,
        evidence,
      },
      ...(subject && { subject }),
      observed: finding.observed ?? finding.description ?? "",
    },
  ];
}

/** How bad, then where: the order of findings of one category, and of the locations of one finding. */
export function compareInstances(a: Compared, b: Compared): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) || comparePlaces(a, b);
}

type Compared = Pick<Finding, "severity" | "location" | "check" | "id">;

const comparePlaces = (a: Compared, b: Compared): number =>
  compareText(a.location.path, b.location.path) ||
  compareText(a.location.method, b.location.method) ||
  compareText(a.location.parameter ?? "", b.location.parameter ?? "") ||
  compareText(a.check, b.check) ||
  compareText(a.id, b.id);

/** Severity, then category in the specification's order, then location: the same target gives the same order. */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    CATEGORY_KEYS.indexOf(a.category) - CATEGORY_KEYS.indexOf(b.category) ||
    comparePlaces(a, b)
  );
}

// Not localeCompare: the order must not depend on the machine's locale.
const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
