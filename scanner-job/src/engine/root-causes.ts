import {
  CONFIDENCES,
  SEVERITIES,
  compareInstances,
  instancesOf,
  shortHash,
  type Finding,
  type Instance,
} from "@glovebox/contract";

interface RootCause {
  readonly cause: string;
  /** What the checks see at one such place has this cause. */
  readonly seenAt: "parameter" | "operation";
  /** Check ids; of two with equal severity, the first gives the finding its title. */
  readonly checks: readonly string[];
  /** True when all checks prove the same weakness, so that it is one finding at all places, whichever check proved it. */
  readonly isOneWeakness: boolean;
}

/** Stands for all exposure checks: theirs is the most specific title for a place. */
export const EXPOSURE = "exposed-*";

/** Checks that see the same cause where they see something at one place. */
export const ROOT_CAUSES: readonly RootCause[] = [
  {
    cause: "SQL injection",
    seenAt: "parameter",
    checks: [
      "input-validation/sql-statement",
      "input-validation/sql-boolean",
      "input-validation/sql-error",
      "input-validation/sql-time",
    ],
    isOneWeakness: true,
  },
  {
    cause: "NoSQL injection",
    seenAt: "parameter",
    checks: ["input-validation/nosql-operator", "input-validation/nosql-javascript"],
    isOneWeakness: true,
  },
  {
    cause: "OS command injection",
    seenAt: "parameter",
    checks: ["input-validation/command-injection", "input-validation/command-time"],
    isOneWeakness: true,
  },
  {
    cause: "Server-side request forgery",
    seenAt: "parameter",
    checks: ["ssrf/metadata-reachable", "ssrf/full-response-fetch", "ssrf/in-band-differential"],
    isOneWeakness: true,
  },
  {
    cause: "An operation beside the document",
    seenAt: "operation",
    checks: ["inventory-management/undocumented-operation", "inventory-management/guessable-operation"],
    isOneWeakness: true,
  },
  {
    cause: "Errors with details of the program",
    seenAt: "operation",
    checks: ["data-exposure/stack-trace", "data-exposure/database-error", "data-exposure/path-disclosure"],
    isOneWeakness: false,
  },
  {
    cause: "An operation that answers without credentials",
    seenAt: "operation",
    checks: [
      EXPOSURE,
      "bola-authorization/anonymous-object-read",
      "bola-authorization/altered-id-read",
      "bola-authorization/personal-object",
      "bola-authorization/private-records",
      "bola-authorization/graphql-anonymous-data",
      "bfla-authorization/anonymous-admin-operation",
      "bfla-authorization/unguarded-sibling",
      "authentication/declared-but-not-enforced",
      "property-authorization/sensitive-fields-anonymous",
      "data-exposure/secrets-in-answers",
      "data-exposure/personal-data-lists",
      "property-authorization/undeclared-response-fields",
    ],
    isOneWeakness: false,
  },
];

/**
 * One finding for each weakness, from findings that each have one place: findings of several checks with one cause at one place
 * are merged under the most severe check, and then all places of that check. Pure.
 */
export function byRootCause(seen: readonly Finding[]): Finding[] {
  const atOnePlace = [...Map.groupBy(withoutRepeats(seen), placeOfCause).values()].map((all) =>
    all.toSorted(compareInCause),
  );
  const weaknesses = Map.groupBy(atOnePlace, ([worst]) => nameOf(worst!));
  return [...weaknesses].map(([name, places]) => findingOf(name, places));
}

const causeOf = (check: string): RootCause | undefined =>
  ROOT_CAUSES.find(({ checks }) => checks.includes(nameInTable(check)));

const nameInTable = (check: string): string => (/\/exposed-/.test(check) ? EXPOSURE : check);

/** The most severe finding of a check at one place. */
const withoutRepeats = (seen: readonly Finding[]): Finding[] =>
  [...Map.groupBy(seen, ({ check, location }) => JSON.stringify([check, location])).values()].map(
    (same) => same.toSorted(compareInstances)[0]!,
  );

function placeOfCause({ check, location }: Finding): string {
  const { method, path, parameter } = location;
  const cause = causeOf(check);
  if (!cause) return JSON.stringify([check, method, path, parameter]);
  return JSON.stringify([cause.cause, method, path, cause.seenAt === "parameter" ? parameter : undefined]);
}

const compareInCause = (a: Finding, b: Finding): number =>
  SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
  CONFIDENCES.indexOf(a.confidence) - CONFIDENCES.indexOf(b.confidence) ||
  rankOf(a) - rankOf(b) ||
  compareInstances(a, b);

const rankOf = ({ check }: Finding): number => causeOf(check)?.checks.indexOf(nameInTable(check)) ?? 0;

function nameOf({ check }: Finding): string {
  const cause = causeOf(check);
  return cause?.isOneWeakness ? cause.cause : check;
}

/** Each element of `places` holds the findings at one place, the most severe first. */
function findingOf(name: string, places: readonly (readonly Finding[])[]): Finding {
  const inOrder = places.toSorted(([a], [b]) => compareInCause(a!, b!));
  const id = shortHash([name]);
  const first = inOrder[0]![0]!;
  const instances = inOrder.flat().flatMap(instancesOf);
  if (instances.length === 1) return { ...first, id };
  return { ...first, id, description: descriptionOf(first, instances), instances };
}

function descriptionOf({ description, observed = "" }: Finding, instances: readonly Instance[]): string {
  const { size } = new Set(instances.map(({ location }) => JSON.stringify(location)));
  const general = description.slice(observed.length).trim();
  return size === 1
    ? description
    : `${observed} Seen at ${size} places, of which this is the first. ${general}`;
}
