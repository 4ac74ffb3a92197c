import { isIPv4 } from "node:net";
import { networkOf, parseAddress, parseRange, type Range } from "./address.ts";
import { parseHostAddress } from "./host-address.ts";

/**
 * An entry of the allow-list: a range of addresses on every port, or one host (an address or a name, in normal form) on one
 * port.
 */
export type EgressAllowance =
  | { readonly kind: "range"; readonly cidr: string }
  | { readonly kind: "endpoint"; readonly host: string; readonly port: number };

/** An entry of the allow-list that cannot be understood; the message names the entry and the reason. */
export class EgressAllowError extends Error {
  override readonly name = "EgressAllowError";
}

/**
 * Reads GLOVEBOX_EGRESS_ALLOW: entries separated by commas or white space, each a CIDR, an address, `host:port` or
 * `[v6]:port`. An empty text allows nothing.
 * @throws EgressAllowError
 */
export function parseEgressAllow(text: string): EgressAllowance[] {
  return text
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .map(parseEntry);
}

function parseEntry(entry: string): EgressAllowance {
  if (entry.includes("%")) return refuse(entry, "a zone id is not supported");
  if (entry.includes("/")) return parseCidr(entry);
  const address = parseAddress(entry);
  if (address)
    return {
      kind: "range",
      cidr: cidrOf({ network: address, prefix: address.kind() === "ipv4" ? 32 : 128 }),
    };
  return parseEndpoint(entry);
}

function parseCidr(entry: string): EgressAllowance {
  const range = parseRange(entry);
  if (!range) return refuse(entry, "is not a CIDR such as 10.0.0.0/8 or fd00::/8");
  const cidr = cidrOf({ network: networkOf(range), prefix: range.prefix });
  if (cidrOf(range) !== cidr) return refuse(entry, `has bits set after its prefix; the range is ${cidr}`);
  return { kind: "range", cidr };
}

const cidrOf = ({ network, prefix }: Range): string => `${network.toString()}/${prefix}`;

function parseEndpoint(entry: string): EgressAllowance {
  const [, host, digits] = /^(.*):(\d+)$/s.exec(entry) ?? [];
  if (host === undefined) return refuse(entry, "is neither a CIDR nor an address, and a host needs a port");
  const port = Number(digits);
  if (port < 1 || port > 65_535) return refuse(entry, "has a port outside 1 to 65535");
  const parsed = parseHostAddress(host);
  if (parsed.kind === "malformed") return refuse(entry, `has an unusable host: ${parsed.reason}`);
  if (parsed.kind === "name") return { kind: "endpoint", host: parsed.name, port };
  // A list that a person must be able to check holds no octal, hexadecimal or shortened address.
  if (!isIPv4(host) && !/^\[.*\]$/.test(host))
    return refuse(entry, `is not in canonical form; the host is ${parsed.address}`);
  return { kind: "endpoint", host: parsed.address, port };
}

function refuse(entry: string, reason: string): never {
  throw new EgressAllowError(`"${entry}" ${reason}`);
}
