import { type Parameter, Operation } from "../inventory/operation.ts";
import type { Subject } from "../engine/check.ts";
import type { TargetProfile } from "../engine/target-profile.ts";

/** A parameter of an operation, as a subject. */
export interface ParameterSubject extends Subject {
  readonly operation: Operation;
  readonly parameter: Parameter;
}

/** The target as one subject. */
export const theHost = (profile: TargetProfile): readonly Subject[] => [profile.host];

/** The target as one subject where it is reached over TLS. */
export const overTls = (profile: TargetProfile): readonly Subject[] =>
  profile.target.protocol === "https:" ? [profile.host] : [];

/** Operations that may be called as they are. */
export const reads = ({ operations }: TargetProfile): readonly Operation[] =>
  operations.filter(({ facts }) => facts.method === "GET");

/** Reads of one object by an id in the path. */
export const objectReads = (profile: TargetProfile): readonly Operation[] =>
  reads(profile).filter(({ idParameter }) => idParameter !== undefined);

/** Operations of one area share their first path segment that says something, and most often their handling. */
const areaOf = ({ facts }: Operation): string =>
  facts.path.split("/").find((segment) => segment !== "" && !/^(v\d[\d.]*|api|rest)$/i.test(segment)) ?? "";

/** At most `most` operations, from as many areas of the API as possible. */
export function spread(operations: readonly Operation[], most: number): readonly Operation[] {
  const areas = [...Map.groupBy(operations, areaOf).values()];
  const rounds = Math.max(0, ...areas.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => areas.flatMap((area) => area[round] ?? []))
    .flat()
    .slice(0, most);
}

/** Reads that ask for credentials or may do so: those that say it first, none that is public by intent. */
export function guardedReads(profile: TargetProfile, most: number): readonly Operation[] {
  const of = (security: string) => reads(profile).filter(({ facts }) => facts.security === security);
  return [...spread(of("required"), most), ...spread(of("undeclared"), most)].slice(0, most);
}
