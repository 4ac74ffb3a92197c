import { isObject } from "../json.ts";
import { lettersOf, plainName } from "../names.ts";
import type { Field, Operation, Parameter } from "../inventory/operation.ts";
import type { ProbeRequest } from "../transport/exchange.ts";
import type { Subject, TargetProfile } from "../engine/check.ts";
import { HARMLESS_DRY_RUN, isDryRun } from "../inventory/effects.ts";
import { inserting, insertionPoints } from "./insertion-points.ts";
import type { Probe } from "../engine/probe.ts";
import { spread } from "./subjects.ts";

/** A host that cannot exist (RFC 6761, section 6.4): no name server will ever lead a request of the target's to it. */
export const canaryHost = (nonce: string): string => `glovebox-${nonce}.invalid`;

/** A place where the API takes an address that it may call. */
export interface UrlParameter extends Subject {
  readonly operation: Operation;
  /** True where its name or format says that it is an address. */
  readonly isNamed: boolean;
  /** The operation's request with this text as the address. */
  readonly carrying: (probe: Probe, address: string) => Promise<ProbeRequest>;
}

/**
 * Addresses in all that reads take, and in the JSON of operations that only preview, fetch or validate: told by name or
 * format first, then by an example that is an address or a path of a file, which may be opened by address too.
 */
export function urlParameters(profile: TargetProfile): readonly UrlParameter[] {
  const inReads = insertionPoints(profile, (parameter) => mayBeAddress(parameter)).map((point) => ({
    ...point,
    isNamed: isUrlParameter(point.parameter),
    carrying: (probe: Probe, address: string) => inserting(probe, point, address),
  }));
  const inBodies = profile.operations
    .filter(({ facts, isRead }) => !isRead && facts.method === "POST" && isDryRun(facts))
    .flatMap((operation) => urlFields(operation).map((field) => inBody(operation, field)));
  const points = [...inReads, ...inBodies];
  const operations = spread([...new Set(points.map(({ operation }) => operation))]);
  const inOrder = operations.flatMap((operation) => points.filter((point) => point.operation === operation));
  return inOrder.toSorted((a, b) => Number(b.isNamed) - Number(a.isNamed));
}

/** How likely a place that takes an address is called: one that is only told by its example, less. */
export const urlPrior = ({ isNamed }: UrlParameter): number => (isNamed ? 1.5 : 0.7);

/** True for names and formats of fields that hold an address to call. */
export const takesUrl = ({ name, format }: Pick<Field, "name" | "format">): boolean =>
  ["uri", "url", "iri", "hostname"].includes(format ?? "") || URL_NAME.test(plainName(name));

const URL_NAME =
  /(url|uri)s?$|^(url|uri|link|href|src|source|callback|webhook|hook|image|img|picture|avatar|dest|destination|redirect|redirectto|feed|rss|host|hostname|target|endpoint|address|site|website|domain|proxy|remote|fetch|origin|upstream|server|next|to|goto)$/i;

/** A number, a flag or one of several words is no address. */
const isUrlParameter = (parameter: Parameter): boolean =>
  parameter.type === "string" && takesUrl(parameter) && !isOfOtherFormat(parameter);
const mayBeAddress = (parameter: Parameter): boolean =>
  isUrlParameter(parameter) ||
  (parameter.type === "string" && /^(https?:\/\/|\/?[\w.-]+(\/[\w.-]+)+\.\w{1,5}$)/i.test(parameter.sample));
const isOfOtherFormat = ({ format }: Parameter): boolean =>
  format !== undefined && /date|time|uuid|email|byte/.test(format);

const urlFields = ({ facts: { body } }: Operation): readonly Field[] =>
  /json/i.test(body?.mediaType ?? "") && isObject(body?.sample)
    ? body.fields.filter((field) => field.path === field.name && field.type === "string" && takesUrl(field))
    : [];

const inBody = (operation: Operation, { name }: Field): UrlParameter => ({
  operation,
  location: { ...operation.location, parameter: name },
  isNamed: true,
  carrying: async (probe, address) => ({
    ...(await probe.withRealIds(operation)),
    ...bodyWith(operation, name, address),
    harmlessBecause: HARMLESS_DRY_RUN,
  }),
});

function bodyWith(
  operation: Operation,
  name: string,
  value: unknown,
): Pick<ProbeRequest, "headers" | "body"> {
  const body = JSON.stringify({ ...(operation.facts.body?.sample as object), [name]: value });
  return { body, headers: operation.request({ body }).headers ?? {} };
}

/**
 * True for parameters that by name or example hold the place to go next, or belong to an operation that sends people on.
 */
export const mayRedirect = ({ in: place, type, name, sample }: Parameter, { facts }: Operation): boolean =>
  (place === "query" || place === "path") &&
  type === "string" &&
  (NEXT.test(lettersOf(name)) || SENDS_ON.test(facts.path) || /^https?:\/\//i.test(sample));

const NEXT =
  /^(to|url|uri|next|redirect\w*|return\w*|goto|go|dest|destination|continue|target|forward|callback\w*|back|backto|success(url|uri)|cancel(url|uri)|relaystate|link|out|exit|lang|language|locale|set\w*)$/i;
const SENDS_ON = /\/(go|out|exit|redirect|forward|leave|jump|away|logout|login|sso)(\/\{[^{}]*\})?\/?$/i;
