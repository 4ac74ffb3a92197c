import { isObject, member, withMember } from "../json.ts";
import { percentDecoded } from "../names.ts";
import { type Field, type Parameter, Operation } from "../inventory/operation.ts";
import { asText, bodyPathOf } from "../inventory/serialization.ts";
import { registrationPasswords, signInFields } from "../inventory/sign-in.ts";
import { LIKELY_ATTEMPT, WRONG_ATTEMPT, type ProbeRequest } from "../transport/exchange.ts";
import type { Probe } from "../engine/probe.ts";
import { withHeader } from "./credentials.ts";
import { postOfNoJson } from "./impossible-write.ts";
import { spread, type ParameterSubject } from "./subjects.ts";
import type { TargetProfile } from "../engine/check.ts";

/**
 * Parameters of reads, members of their bodies, raw bodies, and values in their paths that `accepts` takes: one of each
 * operation first, then the next. Operations that ask for no credentials come first, because their code is the one reached.
 */
export function insertionPoints(
  profile: TargetProfile,
  accepts: (parameter: Parameter, operation: Operation) => boolean = () => true,
): readonly ParameterSubject[] {
  const guarded = (operation: Operation): number => (operation.facts.security === "required" ? 1 : 0);
  const operations = spread(
    profile.operations.filter((operation) => takesValues(operation, profile)),
  ).toSorted((a, b) => guarded(a) - guarded(b));
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

/**
 * What may be sent any value: reads; registrations without a password, which must be refused; and the headers of what must
 * refuse a body that is not JSON.
 */
const takesValues = (operation: Operation, { operations }: TargetProfile): boolean =>
  operation.isRead ||
  registrationPasswords(operation.facts) !== undefined ||
  postOfNoJson(operation, operations) !== undefined;

/** What knows how the operations are called: a probe, or what an identity sees. */
type Inserter = Pick<Probe, "profile" | "withRealIds" | "bodyOf">;

/** The baseline request of the operation, with this value instead of the base value. */
export async function inserting(
  probe: Inserter,
  point: ParameterSubject,
  value: string,
): Promise<ProbeRequest> {
  const { operation, parameter } = point;
  switch (parameter.in) {
    case "path":
      return probe.withRealIds(operation, { path: { [parameter.name]: value } });
    case "header":
      return withHeader(
        postOfNoJson(operation, probe.profile.operations) ?? (await probe.withRealIds(operation)),
        parameter.name.toLowerCase(),
        encodedForHeader(value),
      );
    case "cookie":
      return withCookie(await probe.withRealIds(operation), parameter.name, value);
    default:
      return isRawBody(parameter)
        ? probe.withRealIds(operation, {
            body: value,
            headers: { "content-type": operation.facts.body!.mediaType },
          })
        : insertingAs(probe, point, { name: parameter.name, value });
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

/** A benign value instead of the base value; the same throughout a scan, so that the responses are shared. */
export const insertingNonsense = (probe: Probe, point: ParameterSubject): Promise<ProbeRequest> =>
  inserting(probe, point, probe.profile.calibration.nonce);

/** The same under another name: `floor[$ne]` instead of `floor`. For parameters of queries and members of bodies. */
export async function insertingAs(
  probe: Inserter,
  point: ParameterSubject,
  { name, value }: { name: string; value: string },
): Promise<ProbeRequest> {
  const { operation, parameter } = point;
  if (isInBody(parameter)) {
    const [, operator] = /\[([^[\]]+)\]$/.exec(name.slice(parameter.name.length)) ?? [];
    return insertingJson(
      probe,
      point,
      operator === undefined ? asTyped(parameter, value) : { [operator]: value },
    );
  }
  const request = await probe.withRealIds(operation);
  const url = new URL(request.url);
  url.searchParams.delete(parameter.name);
  url.searchParams.append(name, value);
  return { ...request, url: url.href };
}

/**
 * Another value of any type as the member of the body. A sign-in is sent for a user that does not exist, whose account it cannot
 * lock, and with an invalid password; a registration without one.
 */
async function insertingJson(
  probe: Inserter,
  { operation, parameter }: ParameterSubject,
  value: unknown,
): Promise<ProbeRequest> {
  const signIn = signInFields(operation.facts);
  const { nonce } = probe.profile.calibration;
  const filled = (signIn ? [signIn.user, signIn.password] : []).reduce(
    (content, { path }) => withMember(content, path, nonce),
    await probe.bodyOf(operation),
  );
  const path = bodyPathOf(parameter);
  const passwords = registrationPasswords(operation.facts)?.map((field) => field.path);
  const content = withMember(withoutMembers(filled, passwords ?? []), path, value);
  if (passwords)
    return probe.withRealIds(operation, { content, form: { kind: "malformed", without: passwords } });
  // A value that is interpreted may sign in as somebody.
  const attempt = signIn?.user.path === path ? LIKELY_ATTEMPT : WRONG_ATTEMPT;
  return probe.withRealIds(operation, { content, ...(signIn && { form: attempt }) });
}

const withoutMembers = (content: unknown, names: readonly string[]): unknown =>
  isObject(content)
    ? Object.fromEntries(Object.entries(content).filter(([name]) => !names.includes(name)))
    : content;

/** Where the body wants a number, a text that is one is sent as one. */
const asTyped = ({ type }: Parameter, value: string): string | number =>
  (type === "integer" || type === "number") && /^-?\d{1,15}$/.test(value) ? Number(value) : value;

/**
 * The value that the baseline request has there: an id that exists where one was found, or else what the document allows.
 * A sign-in uses an unknown user.
 */
export async function baseValueOf(probe: Probe, { operation, parameter }: ParameterSubject): Promise<string> {
  const { name, sample } = parameter;
  if (isSignInName(parameter, operation)) return probe.profile.calibration.nonce;
  if (isInBody(parameter)) return asText(valueInBody(await probe.bodyOf(operation), parameter) ?? sample);
  if (!operation.isRead) return sample;
  const { url, headers } = await probe.withRealIds(operation);
  const { pathname, searchParams } = new URL(url);
  if (parameter.in === "path") return valueInPath(pathname, operation, name) ?? sample;
  if (parameter.in === "query") return searchParams.get(name) ?? sample;
  return (parameter.in === "header" ? headers?.[name.toLowerCase()] : undefined) ?? sample;
}

const valueInBody = (body: unknown, parameter: Parameter): unknown =>
  isRawBody(parameter) ? body : memberAt(body, bodyPathOf(parameter));

/** The value of a parameter that fills a whole segment of the path. */
function valueInPath(pathname: string, { location }: Operation, name: string): string | undefined {
  const index = location.path.split("/").indexOf(`{${name}}`);
  const segment = pathname.split("/")[index];
  return segment === undefined ? undefined : percentDecoded(segment);
}

/** The parameter is a number, by its schema or its base value. */
export const isNumeric = ({
  parameter: { type },
  baseValue,
}: {
  readonly parameter: Parameter;
  readonly baseValue: string;
}): boolean => type === "integer" || type === "number" || /^\d{1,15}$/.test(baseValue);

/** A value that can hold a payload: a string, or a number that the server may not validate. */
export const isScalar = ({ type }: Parameter): boolean =>
  type === "string" || type === "integer" || type === "number";

/** A member of the body, or an argument of GraphQL, which is one of its variables. */
const isInBody = ({ in: location }: Parameter): boolean => location === "body" || location === "graphql";

/** The name with which a body of text or XML as a whole is an insertion point. */
const RAW_BODY = "(body)";

/** The whole body, which is text or XML that no schema describes. */
export const isRawBody = ({ in: location, name }: Parameter): boolean =>
  location === "body" && name === RAW_BODY;

/** The field of a sign-in with the user name. */
export const isSignInName = (parameter: Parameter, { facts }: Operation): boolean =>
  isInBody(parameter) && signInFields(facts)?.user.path === bodyPathOf(parameter);

const parametersOf = (operation: Operation): Parameter[] => {
  const of = (location: Parameter["in"]) =>
    operation.facts.parameters.filter((parameter) => parameter.in === location);
  if (registrationPasswords(operation.facts)) return membersOf(operation);
  if (!operation.isRead) return of("header");
  const password = signInFields(operation.facts)?.password;
  return [
    ...of("query"),
    ...of("graphql").filter((parameter) => bodyPathOf(parameter) !== password?.path),
    ...membersOf(operation),
    ...of("path").toReversed(),
    ...of("header").filter(({ name }) => name !== "SOAPAction"), // it is the operation's
    ...of("cookie"),
  ];
};

/** Texts and numbers in the body of what takes values by POST. Passwords are left alone: wrong ones lock accounts. */
function membersOf({ facts }: Operation): Parameter[] {
  const { body } = facts;
  if (!body || facts.method === "GET") return [];
  if (body.fields.length === 0 && RAW_TYPE.test(body.mediaType)) {
    const sample = typeof body.sample === "string" ? body.sample : "test";
    return [{ name: RAW_BODY, in: "body", required: true, type: "string", sample, sampleIsDeclared: false }];
  }
  const password = signInFields(facts)?.password;
  const passwords = (registrationPasswords(facts) ?? (password ? [password] : [])).map(({ name }) => name);
  return body.fields
    .filter(({ path, name, type }) => !path.startsWith("[]") && !passwords.includes(name) && LEAVES.has(type))
    .map((field) => memberOf(field, body.sample));
}

const RAW_TYPE = /^(text\/(?!csv)|application\/([\w.-]+\+)?xml)/i;
const LEAVES: ReadonlySet<string> = new Set(["string", "integer", "number", "boolean"]);

const memberOf = ({ path, type, format, required }: Field, sample: unknown): Parameter => ({
  name: path,
  in: "body",
  required,
  type: type as Parameter["type"],
  ...(format === undefined ? {} : { format }),
  sample: asText(memberAt(sample, path) ?? "test"),
  sampleIsDeclared: false,
});

/** `items[].name` is the first item's. */
const memberAt = (content: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((value, part) => {
    const name = part.replace(/(\[\])+$/, "");
    const found = member(value, name);
    return name !== part && Array.isArray(found) ? found[0] : found;
  }, content);
