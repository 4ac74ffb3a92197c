import { instancesOf } from "./findings.ts";
import { locationKey, passedAmong, locationName, type Tested } from "./location.ts";
import { type Finding, type CheckSummary, type Report } from "@glovebox/contract";
import { storableText } from "./storable.ts";

/** What is known of a finding without its evidence: what lists and filters need. */
export interface IndexedFinding extends Pick<
  Finding,
  "id" | "severity" | "confidence" | "category" | "check" | "title"
> {
  /** The first location, in one line. */
  readonly place: string;
  /** The `locationKey` of each instance. */
  readonly seenAt: readonly string[];
}

/** What a report says of findings: which it has, and where which check found nothing wrong. */
export interface FindingsIndex extends Tested {
  readonly findings: readonly IndexedFinding[];
  readonly checks: readonly Pick<CheckSummary, "check" | "passedAt">[];
  readonly coverage: Report["coverage"];
}

/** A finding of earlier scans, with where it was seen and has not passed since. */
export type KnownFinding = Pick<IndexedFinding, "id" | "seenAt">;

/** What the function index_findings takes. */
export interface FindingsChanges extends Pick<FindingsIndex, "findings" | "coverage"> {
  /** Known findings with the locations that this report tested without a finding. */
  readonly gone: readonly { readonly id: string; readonly places: readonly string[] }[];
}

/** More findings of one report are not indexed: the worst come first in it. */
const MAX_INDEXED_FINDINGS = 5_000;
const MAX_TITLE = 500;
const MAX_LOCATION_LENGTH = 2_000;
const MAX_NAME = 200;

/** In texts that PostgreSQL can store, and bounded, because a compromised scanner may print anything. Pure. */
export function findingsIndexOf({ findings, checks, places, coverage }: Report): FindingsIndex {
  return {
    findings: findings.slice(0, MAX_INDEXED_FINDINGS).map((finding) => {
      const { id, severity, confidence, category, check, title, location } = finding;
      return {
        ...{ id: cut(id, MAX_NAME), severity, confidence, category, check: cut(check, MAX_NAME) },
        title: cut(title, MAX_TITLE),
        place: cut(locationName(location), MAX_LOCATION_LENGTH),
        seenAt: [
          ...new Set(instancesOf(finding).map((instance) => cut(locationKey(instance), MAX_LOCATION_LENGTH))),
        ],
      };
    }),
    checks: checks.map(({ check, passedAt }) => ({ check, ...(passedAt !== undefined && { passedAt }) })),
    ...(places && { places: places.map(storableText) }),
    coverage,
  };
}

const cut = (text: string, length: number): string => storableText(text.slice(0, length));

/** What a report changes in the known findings of its target. What it did not test again, it does not change. Pure. */
export function changesOf(index: FindingsIndex, known: readonly KnownFinding[]): FindingsChanges {
  const passed = passedAmong(new Set(known.flatMap(({ seenAt }) => seenAt)), index);
  const seen = new Map(index.findings.map(({ id, seenAt }) => [id, new Set(seenAt)]));
  const isResolved = (id: string, seenAt: string): boolean =>
    !seen.get(id)?.has(seenAt) && passed.has(seenAt);
  const gone = known
    .map(({ id, seenAt }) => ({ id, places: seenAt.filter((each) => isResolved(id, each)) }))
    .filter(({ places }) => places.length > 0);
  return { findings: index.findings, coverage: index.coverage, gone };
}
