import type { Evidence, Exchange } from "@glovebox/contract";
import { type ProbeRequest, Reply } from "../transport/exchange.ts";
import type { Recorded } from "./probe.ts";
import { redactHeaders, redactText } from "./redact.ts";
import type { Handshake, HandshakeOffer } from "../transport/tls-handshake.ts";

/** Exchanges in the evidence of one finding, at most. */
const MAX_EXCHANGES = 8;

/** The evidence of a finding: the exchanges of the first examination, then the repeated attack, and the rule of evidence. */
export function evidenceOf(rule: string, first: readonly Recorded[], second: readonly Recorded[]): Evidence {
  const repeats = second
    .filter(({ role }) => role === "attack")
    .map((recorded) => ({ ...recorded, role: "repeat" as const }));
  const exchanges = [
    ...lastWithControl(distinct(first), MAX_EXCHANGES - 2),
    ...(repeats.length > 0 ? repeats : distinct(second)).slice(-2),
  ];
  const attack = first.findLast(({ role }) => role === "attack") ?? first.at(-1);
  return { rule, exchanges: exchanges.map(toExchange), curl: attack ? curlOf(attack.request) : "" };
}

function toExchange({ role, request, reply }: Recorded): Exchange {
  return {
    role,
    request: {
      method: request.method,
      url: redactText(wireUrl(request), 1024),
      headers: redactHeaders(request.headers ?? {}),
      ...(request.body === undefined ? {} : { body: redactText(request.body) }),
    },
    response: { status: reply.status, headers: redactHeaders(reply.headers), body: redactText(reply.body) },
  };
}

/** The last exchanges; where those contain no control, the last control replaces the first of them. */
function lastWithControl(recorded: readonly Recorded[], most: number): readonly Recorded[] {
  const last = recorded.slice(-most);
  const control = recorded.findLast(({ role }) => role === "control");
  return control === undefined || last.some(({ role }) => role === "control")
    ? last
    : [control, ...last.slice(1)];
}

/** Each response once, at its last use: a check that compares many responses requests the one that proves the weakness again. */
function distinct(recorded: readonly Recorded[]): Recorded[] {
  return recorded.filter(
    ({ role, reply }, index) =>
      recorded.findLastIndex((other) => other.role === role && other.reply === reply) === index,
  );
}

/**
 * A curl command that repeats the request, with nothing masked: the scanner has no credentials, so that those in it are
 * invented. `-k` because the scanner does not verify certificates either, `-g` because brackets are literal.
 */
export function curlOf(request: ProbeRequest): string {
  if (request.method === HANDSHAKE)
    return ["curl", ...handshakeOptions(request), quote(wireUrl(request))].join(" ");
  const headers = Object.entries(request.headers ?? {}).flatMap(([name, value]) => [
    "-H",
    quote(`${name}: ${value}`),
  ]);
  const body = request.body === undefined ? [] : ["--data-raw", quote(request.body)];
  const method = request.method === "HEAD" ? ["-I"] : ["-X", request.method];
  const path = request.rawPath === undefined ? [] : ["--path-as-is"];
  return ["curl", "-gski", ...method, ...path, ...headers, ...body, quote(wireUrl(request))].join(" ");
}

const wireUrl = ({ url, rawPath }: ProbeRequest): string =>
  rawPath === undefined ? url : new URL(url).origin + rawPath;

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Method of a TLS handshake in evidence; not an HTTP method. */
export const HANDSHAKE = "TLS";

/** A handshake as an exchange: its headers are the offer; its status is 0, because it has none. */
export function handshakeReply(target: URL, offer: HandshakeOffer, made: Handshake): Reply {
  const { protocol, cipher, distrust, certificate } = made;
  const {
    subject,
    issuer,
    valid_from: validFrom,
    valid_to: validTo,
    subjectaltname: names,
    bits,
  } = certificate;
  return new Reply({
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

/** curl options that make the same offer; `-v` prints what was negotiated. */
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
