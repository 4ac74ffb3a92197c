import type { Parameter } from "../inventory/operation.ts";
import { Operation } from "../inventory/operation.ts";
import type { Subject } from "../engine/check.ts";
import type { Survey } from "../engine/survey.ts";

/** A parameter of an operation, as a subject. */
export interface ParameterSubject extends Subject {
  readonly operation: Operation;
  readonly parameter: Parameter;
}

/** The target as one subject. */
export const theHost = (survey: Survey): readonly Subject[] => [survey.host];

/** The target as one subject where it is reached over TLS. */
export const overTls = (survey: Survey): readonly Subject[] =>
  survey.target.protocol === "https:" ? [survey.host] : [];

/** Operations that may be called as they are. */
export const reads = ({ operations }: Survey): readonly Operation[] =>
  operations.filter(({ facts }) => facts.method === "GET");

/** Reads of one object by an id in the path. */
export const objectReads = (survey: Survey): readonly Operation[] =>
  reads(survey).filter(({ idParameter }) => idParameter !== undefined);

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
export function guardedReads(survey: Survey, most: number): readonly Operation[] {
  const of = (security: string) => reads(survey).filter(({ facts }) => facts.security === security);
  return [...spread(of("required"), most), ...spread(of("undeclared"), most)].slice(0, most);
}
