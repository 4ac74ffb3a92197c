import { ANONYMOUS, type Evidence, type Exchange, type Location } from "@glovebox/contract";
import { fitsTemplate } from "../inventory/discovery/path-template.ts";
import { optional } from "../json.ts";
import { percentDecoded } from "../names.ts";
import { type ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import type { Recorded } from "./probe.ts";
import { redactHeaders, redactText } from "./redact.ts";
import type { Handshake, HandshakeOffer } from "../transport/tls-handshake.ts";

/** Exchanges in the evidence of one finding, at most. */
const MAX_EXCHANGES = 8;

/**
 * The evidence of a finding: the exchanges of the first examination, then the repeated attack, and the rule of evidence. Where
 * the weakness was seen at a location, an attack on it is among them, and is the one to repeat by hand.
 */
export function evidenceOf(
  { rule, location }: { readonly rule: string; readonly location?: Location },
  first: readonly Recorded[],
  second: readonly Recorded[],
): Evidence {
  const attacks = first.filter(({ role }) => role === "attack");
  const attack = attacks.findLast((recorded) => goesTo(recorded, location)) ?? attacks.at(-1) ?? first.at(-1);
  const control = first.findLast(({ role }) => role === "control");
  const repeats = second
    .filter(({ role }) => role === "attack")
    .map((recorded) => ({ ...recorded, role: "repeat" as const }));
  const repeat = repeats.findLast((recorded) => goesTo(recorded, location));
  const exchanges = [
    ...lastWith(distinct(first), { max: MAX_EXCHANGES - 2, needed: [control, attack] }),
    ...(repeats.length > 0 ? lastWith(repeats, { max: 2, needed: [repeat] }) : distinct(second).slice(-2)),
  ];
  return {
    rule,
    exchanges: exchanges.map(toExchange),
    curl: attack ? curlOf(attack.request, attack.response.caller) : "",
  };
}

/**
 * Whether a request shows something about a location: it is sent there, however its path is written, or the response to it
 * names the method there.
 * @internal
 */
export function goesTo(
  {
    request: { method, url },
    response,
  }: {
    readonly request: Pick<ProbeRequest, "method" | "url">;
    readonly response: Pick<ProbeResponse, "status" | "headers">;
  },
  location: Location | undefined,
): boolean {
  if (location === undefined) return false;
  const { allow = response.status === 405 ? location.method : "" } = response.headers; // some servers do not say which
  const methods = [method, ...allow.toUpperCase().split(/[\s,]+/)];
  return (
    methods.includes(location.method) &&
    fitsTemplate(canonical(new URL(url).pathname), canonical(location.path))
  );
}

const canonical = (path: string): string =>
  percentDecoded(path)
    .toLowerCase()
    .replace(/(?<=.)\/+$/, "");

const toExchange = ({ role, request, response }: Recorded): Exchange => ({
  role,
  ...shownExchange(request, response),
});

/** A request and its response as a report shows them: redacted and cut. */
export const shownExchange = (request: ProbeRequest, response: ProbeResponse): Omit<Exchange, "role"> => ({
  request: {
    method: request.method,
    url: redactText(wireUrl(request), 1024),
    headers: redactHeaders(request.headers ?? {}),
    ...(request.body === undefined ? {} : { body: redactText(request.body) }),
    ...optional("caller", callerIn(request, response)),
  },
  response: {
    status: response.status,
    headers: redactHeaders(response.headers),
    body: redactText(response.body),
  },
});

/** The last exchanges; needed ones that are not among them replace the first. */
function lastWith(
  recorded: readonly Recorded[],
  { max, needed }: { max: number; needed: readonly (Recorded | undefined)[] },
): readonly Recorded[] {
  const last = recorded.slice(-max);
  const isIn = (some: readonly Recorded[], wanted: Recorded): boolean =>
    some.some(({ role, response }) => role === wanted.role && response === wanted.response);
  const missing = recorded.filter(
    (each) => needed.some((wanted) => wanted && isIn([each], wanted)) && !isIn(last, each),
  );
  if (missing.length === 0) return last;
  const others = last.filter((each) => !needed.some((wanted) => wanted && isIn([each], wanted)));
  const dropped = others.slice(0, missing.length);
  return [...missing, ...last.filter((each) => !dropped.includes(each))];
}

/** Each response once, at its last use: a check that compares many responses requests the one that proves the weakness again. */
function distinct(recorded: readonly Recorded[]): Recorded[] {
  return recorded.filter(
    ({ role, response }, index) =>
      recorded.findLastIndex((other) => other.role === role && other.response === response) === index,
  );
}

/**
 * A curl command that repeats the request, with nothing masked: the credentials in it are invented. Those of an identity are the
 * header in a variable of its name, `ALICE='Authorization: Bearer …'` (docs/identities.md). `-k` because the scanner does not verify certificates either, `-g` because brackets are literal.
 */
export function curlOf(request: ProbeRequest, caller: string): string {
  if (request.method === HANDSHAKE)
    return ["curl", ...handshakeOptions(request), quote(wireUrl(request))].join(" ");
  const headers = Object.entries(request.headers ?? {}).flatMap(([name, value]) => [
    "-H",
    quote(`${name}: ${value}`),
  ]);
  const credentials = caller === ANONYMOUS ? [] : ["-H", `"$${variableOf(caller)}"`];
  const body = request.body === undefined ? [] : ["--data-raw", quote(request.body)];
  const method = request.method === "HEAD" ? ["-I"] : ["-X", request.method];
  const path = request.rawPath === undefined ? [] : ["--path-as-is"];
  return [
    "curl",
    "-gski",
    ...method,
    ...path,
    ...credentials,
    ...headers,
    ...body,
    quote(wireUrl(request)),
  ].join(" ");
}

/** The caller, in a scan that has several. */
const callerIn = ({ as }: ProbeRequest, { caller }: ProbeResponse): string | undefined =>
  caller === ANONYMOUS ? as : caller;

/** The variable of a shell with the header of an identity. */
const variableOf = (identity: string): string =>
  identity
    .toUpperCase()
    .replaceAll("-", "_")
    .replace(/^(?=\d)/, "AS_");

const wireUrl = ({ url, rawPath }: ProbeRequest): string =>
  rawPath === undefined ? url : new URL(url).origin + rawPath;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Method of a TLS handshake in evidence; not an HTTP method. @internal */
export const HANDSHAKE = "TLS";

/** A handshake as an exchange: its headers are the offer; its status is 0, because it has none. */
export function handshakeResponse(target: URL, offer: HandshakeOffer, made: Handshake): ProbeResponse {
  const { protocol, cipher, distrust, certificate } = made;
  const {
    subject,
    issuer,
    valid_from: validFrom,
    valid_to: validTo,
    subjectaltname: names,
    bits,
  } = certificate;
  return new ProbeResponse({
    request: { method: HANDSHAKE, url: target.origin, headers: { ...offer } },
    status: 0,
    headers: {},
    body: JSON.stringify(
      { protocol, cipher, subject, issuer, validFrom, validTo, names, bits, distrust },
      null,
      1,
    ),
  });
}

/** curl options that make the same offer; `-v` prints what was negotiated. @internal */
export function handshakeOptions({ headers = {} }: ProbeRequest): string[] {
  const { version, ciphers } = headers;
  const number = version === undefined ? undefined : (/\d\.\d$/.exec(version)?.[0] ?? "1.0");
  return [
    "-skv",
    ...(number === undefined ? [] : [`--tlsv${number}`, "--tls-max", number]),
    // OpenSSL's default security level does not offer weak ciphers.
    ...(version === undefined && ciphers === undefined
      ? []
      : ["--ciphers", `'${ciphers ?? "DEFAULT"}:@SECLEVEL=0'`]),
  ];
}
