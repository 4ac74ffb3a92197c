import { inRange, isSingle, parseAddress, parseRange, type Address, type Range } from "./address.ts";
import type { EgressAllowance } from "./allowance.ts";
import { embeddedIPv4 } from "./embedded.ts";
import { parseHostAddress } from "./host-address.ts";
import { leadsToMetadata, specialRangeOf } from "./ranges.ts";

/** Whether a scan may connect. `reason` names the range or the rule that refuses, without addresses. */
export type EgressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

export interface EgressPolicy {
  /**
   * Checks one address and port; `host` is the name that resolved to it, if any. Only the plain notation is accepted as an
   * address.
   */
  judge(address: string, port: number, host?: string): EgressVerdict;
  /** True when the allow-list names this host name with this port. */
  allowsName(host: string, port: number): boolean;
}

export interface EgressPolicyOptions {
  readonly allow?: readonly EgressAllowance[];
  /** CIDRs or addresses of cluster and nodes, refused even where public. */
  readonly deny?: readonly string[];
  /** The addresses of the cluster's API servers: refused as metadata services are. */
  readonly controlPlane?: readonly string[];
}

/**
 * Allows public unicast addresses. `deny` removes addresses; `allow` adds addresses and overrides `deny`. Metadata services and
 * the control plane are allowed only by an entry for that exact address, not by a wider range or a name.
 * @throws Error when a range of `deny`, `allow` or `controlPlane` cannot be read.
 */
export function createEgressPolicy({
  allow = [],
  deny = [],
  controlPlane = [],
}: EgressPolicyOptions = {}): EgressPolicy {
  const allowedRanges = allow.flatMap((entry) => (entry.kind === "range" ? [readRange(entry.cidr)] : []));
  const endpoints = new Set(
    allow.flatMap((entry) => (entry.kind === "endpoint" ? [endpointKey(entry.host, entry.port)] : [])),
  );
  const deniedRanges = deny.map(readRange);
  const controlRanges = controlPlane.map(readRange);

  const allowsName = (host: string, port: number): boolean => {
    const parsed = parseHostAddress(host);
    return parsed.kind === "name" && endpoints.has(endpointKey(parsed.name, port));
  };
  const isAllowListed = (address: Address, port: number, host: string | undefined): boolean => {
    if (endpoints.has(endpointKey(address.toString(), port))) return true;
    const guarded = leadsToMetadata(address) || isDenied(address, controlRanges);
    const ranges = guarded ? allowedRanges.filter(isSingle) : allowedRanges;
    if (ranges.some((range) => inRange(address, range))) return true;
    return host !== undefined && !guarded && allowsName(host, port);
  };
  const judge = (text: string, port: number, host?: string): EgressVerdict => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return refused("unusable port");
    const address = parseAddress(text);
    if (!address) return refused(text.includes("%") ? "zone id" : "not an IP address");
    if (isAllowListed(address, port, host)) return { allowed: true };
    const special = specialRangeOf(address);
    if (special !== undefined) return refused(special);
    if (isDenied(address, controlRanges)) return refused("control plane of the cluster");
    return isDenied(address, deniedRanges) ? refused("denied by the operator") : { allowed: true };
  };
  return { judge, allowsName };
}

/**
 * Reads GLOVEBOX_EGRESS_DENY: CIDRs and addresses, separated by commas or white space.
 * @throws Error that names the entry which is neither.
 */
export function parseEgressDeny(text: string): string[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== "");
  for (const entry of entries) readRange(entry);
  return entries;
}

function readRange(text: string): Range {
  const range = parseRange(text);
  if (!range) throw new Error(`"${text}" is not a CIDR or an address`);
  return range;
}

const endpointKey = (host: string, port: number): string => `${host} ${port}`;

const refused = (reason: string): EgressVerdict => ({ allowed: false, reason });

function isDenied(address: Address, denied: readonly Range[]): boolean {
  const inside = embeddedIPv4(address)?.address;
  return denied.some((range) => inRange(address, range) || (inside !== undefined && inRange(inside, range)));
}
