import { type Parameter, Operation } from "../inventory/operation.ts";
import type { Subject, TargetProfile } from "../engine/check.ts";
import { readOf, type ProbeResponse } from "../transport/exchange.ts";
import { isSuccess } from "../oracles/classify.ts";
import type { Probe } from "../engine/probe.ts";
import { isAdministrative } from "./purpose.ts";

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

/** Operations of one area share their first meaningful path segment, and most often their implementation. */
const areaOf = ({ facts }: Operation): string =>
  facts.path.split("/").find((segment) => segment !== "" && !/^(v\d[\d.]*|api|rest)$/i.test(segment)) ?? "";

/** The operations, so that those that come first are of as many areas of the API as possible. */
export function spread(operations: readonly Operation[]): readonly Operation[] {
  const areas = [...Map.groupBy(operations, areaOf).values()];
  const rounds = Math.max(0, ...areas.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => areas.flatMap((area) => area[round] ?? [])).flat();
}

/** Reads that require credentials or may do so: those that declare it first, none that is public by intent. */
export function guardedReads(profile: TargetProfile): readonly Operation[] {
  const of = (security: string) => reads(profile).filter(({ facts }) => facts.security === security);
  return [...spread(of("required")), ...spread(of("undeclared"))];
}

/** Reads of one object that require credentials or may do so. */
export const guardedObjectReads = (profile: TargetProfile): readonly Operation[] =>
  spread(objectReads(profile).filter(({ facts }) => ["required", "undeclared"].includes(facts.security)));

/** The same reads, those for administrators first, for attacks that raise privileges. */
export const guardedReadsByPrivilege = (profile: TargetProfile): readonly Operation[] =>
  guardedReads(profile).toSorted(
    (a, b) => Number(isAdministrative(b.facts)) - Number(isAdministrative(a.facts)),
  );

/**
 * Reads that may be refused, regardless of what the document declares: those that require credentials first, then those of which it
 * declares a refusal, those without a declaration, and those that it declares public.
 */
export function likelyRefusals(profile: TargetProfile): readonly Operation[] {
  const rank = ({ facts }: Operation): number => {
    if (facts.security === "required") return 0;
    if (facts.responses.some(({ status }) => status === "401" || status === "403")) return 1;
    return facts.security === "undeclared" ? 2 : 3;
  };
  const ranked = Map.groupBy(reads(profile), rank);
  return [0, 1, 2, 3].flatMap((location) => spread(ranked.get(location) ?? []));
}

/** The target's entry and reads of as many areas as possible, for checks that only inspect baseline responses. */
const baselineSubjects = (profile: TargetProfile): readonly Subject[] => [
  profile.host,
  ...spread(reads(profile)),
];

/** The baseline response of a subject: of its operation with real ids, or of the target's entry. */
async function baselineResponse({ operation }: Subject, probe: Probe): Promise<ProbeResponse> {
  return probe.baseline(operation ? await probe.withRealIds(operation) : readOf(probe.profile.target.href));
}

/** Baseline responses one after the other, for checks that need a single one with a property of the whole host. */
export async function* baselineResponses(probe: Probe, max: number = 12): AsyncGenerator<ProbeResponse> {
  for (const subject of baselineSubjects(probe.profile).slice(0, max + 1))
    yield baselineResponse(subject, probe);
}

/** A successful read, as a sample of the host. The entry is preferred; undefined when no read succeeds. */
export async function workingResponse(probe: Probe, max: number = 8): Promise<ProbeResponse | undefined> {
  for await (const response of baselineResponses(probe, max)) if (isSuccess(response)) return response;
  return undefined;
}
