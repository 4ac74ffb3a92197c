import { isObject } from "../json.ts";
import { lettersOf, plainName } from "../names.ts";
import type { Field, Operation, Parameter } from "../inventory/operation.ts";
import { WELL_FORMED, type ProbeRequest } from "../transport/exchange.ts";
import type { Subject, TargetProfile } from "../engine/check.ts";
import { isDryRun } from "../inventory/effects.ts";
import { inserting, insertionPoints } from "./insertion-points.ts";
import type { Probe } from "../engine/probe.ts";
import { spread } from "./subjects.ts";

/** A host that cannot exist (RFC 6761, section 6.4): it never resolves. */
export const canaryHost = (nonce: string): string => `glovebox-${nonce}.invalid`;

/** An input of the API for a URL that the server may request. */
export interface UrlParameter extends Subject {
  readonly operation: Operation;
  /** True where its name or format indicates a URL. */
  readonly isNamed: boolean;
  /** The operation's request with this text as the URL. */
  readonly carrying: (probe: Probe, address: string) => Promise<ProbeRequest>;
}

/**
 * URLs in all inputs of reads, and in the JSON of operations that only preview, fetch or validate: recognised by name or
 * format first, then by an example that is a URL or a file path, which may also be opened as a URL.
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

/** How likely the server requests the URL: less if only the example indicates one. */
export const urlPrior = ({ isNamed }: UrlParameter): number => (isNamed ? 3 : 0.7);

/** True for names and formats of fields that hold a URL to request. */
export const takesUrl = ({ name, format }: Pick<Field, "name" | "format">): boolean =>
  ["uri", "url", "iri", "hostname"].includes(format ?? "") || URL_NAME.test(plainName(name));

const URL_NAME =
  /(url|uri)s?$|^(url|uri|link|href|src|source|callback|webhook|hook|image|img|picture|avatar|dest|destination|redirect|redirectto|feed|rss|host|hostname|target|endpoint|address|site|website|domain|proxy|remote|fetch|origin|upstream|server|next|to|goto)$/i;

/** A number, a flag or an enumeration is not a URL. */
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
    form: WELL_FORMED,
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
 * True for parameters that by name or example hold a redirect target, or belong to an operation that redirects.
 */
export const mayRedirect = ({ in: location, type, name, sample }: Parameter, { facts }: Operation): boolean =>
  (location === "query" || location === "path") &&
  type === "string" &&
  (NEXT.test(lettersOf(name)) || SENDS_ON.test(facts.path) || /^https?:\/\//i.test(sample));

const NEXT =
  /^(to|url|uri|next|redirect\w*|return\w*|goto|go|dest|destination|continue|target|forward|callback\w*|back|backto|success(url|uri)|cancel(url|uri)|relaystate|link|out|exit|lang|language|locale|set\w*)$/i;
const SENDS_ON = /\/(go|out|exit|redirect|forward|leave|jump|away|logout|login|sso)(\/\{[^{}]*\})?\/?$/i;
