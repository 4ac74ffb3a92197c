import { compareGravity, compareInstances, gravityOf, instancesOf, shortHash } from "@glovebox/domain";
import { type Finding, type Instance } from "@glovebox/contract";
import { type Detected } from "./detected.ts";
import { referencesAt } from "./cvss.ts";

interface RootCause {
  readonly cause: string;
  /** What the checks see at one such location has this cause. */
  readonly seenAt: "parameter" | "operation";
  /** Check ids; the first that saw something names the cause, whichever rated it highest. */
  readonly checks: readonly string[];
  /** True when all checks prove the same weakness, so that it is one finding at all locations, whichever check proved it. */
  readonly isOneWeakness: boolean;
}

/** Stands for all exposure checks: theirs is the most specific title for a location. */
const EXPOSURE = "exposed-*";

/** Where no operation asks for credentials, all that is seen without them at operations has this one cause. */
const NO_GUARD = "authentication/missing-authentication";

/** Checks that see the same cause where they see something at one location. */
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
    cause: "An operation without authentication",
    seenAt: "operation",
    checks: [
      EXPOSURE,
      NO_GUARD,
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
 * One finding for each weakness, from findings of single checks: what several checks with one cause see at one location is merged
 * under the check that names the cause, and then all locations of that check. Pure.
 */
export function byRootCause(found: readonly Detected[]): Detected[] {
  const seen = withoutRepeats(found.flatMap(atEachLocation));
  const isUnguarded = seen.some(({ check, severity }) => check === NO_GUARD && severity !== "info");
  const atOneLocation = [...Map.groupBy(seen, locationOfCause).values()].map((all) =>
    all.toSorted(compareInCause),
  );
  const weaknesses = Map.groupBy(atOneLocation, ([first]) => nameOf(first!, isUnguarded));
  return [...weaknesses].map(([name, locations]) => findingOf(name, locations));
}

/** A finding that one examination made at several locations, as one for each. */
function atEachLocation({ instances, ...finding }: Detected): Detected[] {
  if (!instances) return [finding];
  const { subject: _, ...common } = finding;
  return instances.map((instance) => ({
    ...common,
    ...instance,
    references: referencesAt(instance.severity, finding.references),
  }));
}

/** That an API publishes all that it has is not a cause of anything. */
const causeOf = ({ check, severity }: Pick<Finding, "check" | "severity">): RootCause | undefined =>
  check === NO_GUARD && severity === "info"
    ? undefined
    : ROOT_CAUSES.find(({ checks }) => checks.includes(nameInTable(check)));

const nameInTable = (check: string): string => (/\/exposed-/.test(check) ? EXPOSURE : check);

/** The most severe finding of a check at one location. */
const withoutRepeats = (seen: readonly Detected[]): Detected[] =>
  [...Map.groupBy(seen, ({ check, location }) => JSON.stringify([check, location])).values()].map(
    (same) => same.toSorted(compareInstances)[0]!,
  );

function locationOfCause(finding: Detected): string {
  const { method, path, parameter } = finding.location;
  const cause = causeOf(finding);
  if (!cause) return JSON.stringify([finding.check, method, path, parameter]);
  return JSON.stringify([cause.cause, method, path, cause.seenAt === "parameter" ? parameter : undefined]);
}

const compareInCause = (a: Detected, b: Detected): number =>
  rankOf(a) - rankOf(b) || compareGravity(a, b) || compareInstances(a, b);

const rankOf = (finding: Detected): number =>
  causeOf(finding)?.checks.indexOf(nameInTable(finding.check)) ?? 0;

function nameOf(finding: Detected, isUnguarded: boolean): string {
  const cause = causeOf(finding);
  if (isUnguarded && cause?.checks.includes(NO_GUARD) && nameInTable(finding.check) !== EXPOSURE)
    return NO_GUARD;
  return cause?.isOneWeakness ? cause.cause : finding.check;
}

/** Each element of `locations` holds the findings at one location, the one of the check that names the cause first. */
function findingOf(name: string, locations: readonly (readonly Detected[])[]): Detected {
  const inOrder = locations.toSorted(([a], [b]) => compareInCause(a!, b!));
  const id = shortHash([name]);
  const first = inOrder[0]![0]!;
  const instances = inOrder.flat().flatMap(instancesOf) as [Instance, ...Instance[]];
  if (instances.length === 1) return { ...first, id };
  const gravity = gravityOf(instances);
  return {
    ...{ ...first, id, ...gravity, instances },
    references: referencesAt(gravity.severity, first.references),
  };
}
