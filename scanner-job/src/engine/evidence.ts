import type { Evidence, Exchange } from "@glovebox/contract";
import type { ProbeRequest } from "../transport/exchange.ts";
import type { Recorded } from "./probe.ts";
import { HANDSHAKE, handshakeOptions } from "./handshake-evidence.ts";
import { redactHeaders, redactText } from "./redact.ts";

/** Exchanges kept of one finding. */
const MAX_EXCHANGES = 8;

/** The proof of a finding: what was sent in the first look, then the attack's repeat, and the rule that decided. */
export function evidenceOf(rule: string, first: readonly Recorded[], second: readonly Recorded[]): Evidence {
  const repeats = second
    .filter(({ role }) => role === "attack")
    .map((recorded) => ({ ...recorded, role: "repeat" as const }));
  const kept = [
    ...lastWithControl(distinct(first), MAX_EXCHANGES - 2),
    ...(repeats.length > 0 ? repeats : distinct(second)).slice(-2),
  ];
  const attack = first.findLast(({ role }) => role === "attack") ?? first.at(-1);
  return { rule, exchanges: kept.map(toExchange), curl: attack ? curlOf(attack.request) : "" };
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

/** The last exchanges; where they would leave out every control, the last of those in place of the first. */
function lastWithControl(recorded: readonly Recorded[], most: number): readonly Recorded[] {
  const last = recorded.slice(-most);
  const control = recorded.findLast(({ role }) => role === "control");
  return control === undefined || last.some(({ role }) => role === "control")
    ? last
    : [control, ...last.slice(1)];
}

/** Each answer once, where it was looked at last: a check that looks at many goes back to the one that is the proof. */
function distinct(recorded: readonly Recorded[]): Recorded[] {
  return recorded.filter(
    ({ role, reply }, index) =>
      recorded.findLastIndex((other) => other.role === role && other.reply === reply) === index,
  );
}

/**
 * A command that sends the request again, with nothing masked: the scanner has no credentials, so that those in it are
 * made up. `-k` because the scanner does not insist on the certificate either, `-g` because brackets are meant.
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
