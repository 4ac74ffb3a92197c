import { member, withMember } from "../json.ts";
import { bodyPathOf, type Parameter, Operation } from "../inventory/operation.ts";
import { asText } from "../inventory/serialization.ts";
import { signInFields } from "../inventory/sign-in.ts";
import type { ProbeRequest } from "../transport/exchange.ts";
import type { Probe } from "../engine/probe.ts";
import { spread, type ParameterSubject } from "./subjects.ts";
import type { TargetProfile } from "../engine/check.ts";

/**
 * Parameters of reads, members of their bodies, and ids at the end of their paths that `accepts` takes: one of each
 * operation first, then the next. Operations that ask for no credentials come first, because their code is the one reached.
 */
export function insertionPoints(
  profile: TargetProfile,
  accepts: (parameter: Parameter, operation: Operation) => boolean = () => true,
): readonly ParameterSubject[] {
  const guarded = (operation: Operation): number => (operation.facts.security === "required" ? 1 : 0);
  const operations = spread(profile.operations.filter(({ isRead }) => isRead)).toSorted(
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
  return Array.from({ length: rounds }, (_, round) => points.flatMap((own) => own[round] ?? [])).flat();
}

/** The ordinary request of the operation, with this value in place of the ordinary one. */
export async function inserting(probe: Probe, point: ParameterSubject, value: string): Promise<ProbeRequest> {
  const { operation, parameter } = point;
  switch (parameter.in) {
    case "path":
      return probe.withId(operation, value);
    case "header":
      return probe.withRealIds(operation, {
        headers: { [parameter.name.toLowerCase()]: encodedForHeader(value) },
      });
    case "cookie":
      return withCookie(await probe.withRealIds(operation), parameter.name, value);
    default:
      return insertingAs(probe, point, { name: parameter.name, value });
  }
}

/** What a header cannot carry as it is. */
const encodedForHeader = (value: string): string => value.replace(/[^\t\x20-\x7e]/g, encodeURIComponent);

function withCookie(request: ProbeRequest, name: string, value: string): ProbeRequest {
  const others = (request.headers?.["cookie"] ?? "")
    .split("; ")
    .filter((pair) => pair !== "" && !pair.startsWith(`${name}=`));
  const cookie = [...others, `${name}=${encodeURIComponent(value)}`].join("; ");
  return { ...request, headers: { ...request.headers, cookie } };
}

/** Letters that mean nothing in place of the value; the same throughout a scan, so that the answers are shared. */
export const insertingNonsense = (probe: Probe, point: ParameterSubject): Promise<ProbeRequest> =>
  inserting(probe, point, probe.profile.calibration.nonce);

/** The same under another name: `floor[$ne]` in place of `floor`. For parameters of queries and members of bodies. */
export async function insertingAs(
  probe: Probe,
  { operation, parameter }: ParameterSubject,
  { name, value }: { name: string; value: string },
): Promise<ProbeRequest> {
  if (parameter.in === "body" || parameter.in === "graphql") {
    const [, operator] = /\[([^[\]]+)\]$/.exec(name.slice(parameter.name.length)) ?? [];
    const content = withMember(
      await probe.bodyOf(operation),
      bodyPathOf(parameter),
      operator === undefined ? asTyped(parameter, value) : { [operator]: value },
    );
    return probe.withRealIds(operation, { content });
  }
  const request = await probe.withRealIds(operation);
  const url = new URL(request.url);
  url.searchParams.delete(parameter.name);
  url.searchParams.append(name, value);
  return { ...request, url: url.href };
}

/** Where the body wants a number, a text that is one is sent as one. */
const asTyped = ({ type }: Parameter, value: string): string | number =>
  (type === "integer" || type === "number") && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

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

const parametersOf = (operation: Operation): Parameter[] => {
  const { facts, idParameter } = operation;
  const of = (place: Parameter["in"]) => facts.parameters.filter((parameter) => parameter.in === place);
  return [
    ...of("query"),
    ...of("graphql"),
    ...fieldsOf(operation),
    ...(idParameter ? [idParameter] : []),
    ...of("header"),
    ...of("cookie"),
  ];
};

/** Texts and numbers in the body of an operation that reads by POST. Passwords are left alone: wrong ones lock accounts. */
function fieldsOf({ facts, isRead }: Operation): Parameter[] {
  const { body } = facts;
  if (!isRead || !body || facts.method === "GET") return [];
  const password = signInFields(facts)?.password;
  return body.fields
    .filter(
      ({ path, name, type }) =>
        !path.includes("[]") && name !== password?.name && type !== "object" && type !== "array",
    )
    .map(({ path, type, format, required }) => ({
      name: path,
      in: "body",
      required,
      type: type === "integer" || type === "number" || type === "boolean" ? type : "string",
      ...(format === undefined ? {} : { format }),
      sample: asText(memberAt(body.sample, path) ?? "test"),
      sampleIsDeclared: false,
    }));
}

const memberAt = (content: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, name) => member(value, name), content);
