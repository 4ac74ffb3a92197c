import { type Parameter, Operation } from "../inventory/operation.ts";
import type { ProbeRequest } from "../transport/exchange.ts";
import type { Probe } from "../engine/probe.ts";
import { reads, spread, type ParameterSubject } from "./subjects.ts";
import type { TargetProfile } from "../engine/check.ts";

/**
 * Query parameters of reads, and ids at the end of their paths: at most `most` that `accepts` takes, from as many
 * operations as possible. Those that ask for no credentials come first, because their code is the one reached.
 */
export function insertionPoints(
  profile: TargetProfile,
  {
    most,
    accepts = () => true,
  }: { most: number; accepts?: (parameter: Parameter, operation: Operation) => boolean },
): readonly ParameterSubject[] {
  const guarded = (operation: Operation): number => (operation.facts.security === "required" ? 1 : 0);
  const operations = spread(reads(profile), profile.operations.length).toSorted(
    (a, b) => guarded(a) - guarded(b),
  );
  const points = operations.map((operation) =>
    parametersOf(operation)
      .filter((parameter) => accepts(parameter, operation))
      .map((parameter) => ({
        operation,
        parameter,
        location: { ...operation.location, parameter: parameter.name },
      })),
  );
  const rounds = Math.max(0, ...points.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => points.flatMap((own) => own[round] ?? []))
    .flat()
    .slice(0, most);
}

/** The ordinary read of the operation, with this value in place of the ordinary one. */
export async function inserting(probe: Probe, point: ParameterSubject, value: string): Promise<ProbeRequest> {
  return point.parameter.in === "path"
    ? probe.withId(point.operation, value)
    : insertingAs(probe, point, { name: point.parameter.name, value });
}

/** Letters that mean nothing in place of the value; the same throughout a scan, so that the answers are shared. */
export const insertingNonsense = (probe: Probe, point: ParameterSubject): Promise<ProbeRequest> =>
  inserting(probe, point, probe.profile.calibration.nonce);

/** The same under another name: `floor[$ne]` in place of `floor`. For query parameters. */
export async function insertingAs(
  probe: Probe,
  { operation, parameter }: ParameterSubject,
  { name, value }: { name: string; value: string },
): Promise<ProbeRequest> {
  const request = await probe.withRealIds(operation);
  const url = new URL(request.url);
  url.searchParams.delete(parameter.name);
  url.searchParams.append(name, value);
  return { ...request, url: url.href };
}

/** A value that the operation takes: an id that exists where one was found, or else what the document allows. */
export async function ordinaryValue(
  probe: Probe,
  { operation, parameter }: ParameterSubject,
): Promise<string> {
  if (parameter.in !== "path") return parameter.sample;
  const [id] = await probe.idsFor(operation);
  return id ?? parameter.sample;
}

/** The parameter is a number, by what the document or its ordinary value says. */
export const isNumeric = (parameter: Parameter, value: string): boolean =>
  parameter.type === "integer" || parameter.type === "number" || /^\d{1,15}$/.test(value);

const parametersOf = ({ facts, idParameter }: Operation): Parameter[] => [
  ...facts.parameters.filter((parameter) => parameter.in === "query").slice(0, 6),
  ...(idParameter ? [idParameter] : []),
];
