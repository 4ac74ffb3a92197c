import { hostOf, type Pin } from "@glovebox/contract";
import { compareAddresses, parseAddress, type Address } from "./address.ts";
import { parseHostAddress } from "./host-address.ts";
import { judgeHost, portOf } from "./host.ts";
import type { EgressPolicy } from "./policy.ts";

/** Every address (A and AAAA) of a host name. Rejects when it cannot be resolved, and when it is cancelled. */
export type Lookup = (host: string, signal?: AbortSignal) => Promise<readonly string[]>;

/** The policy that checks hosts, and the lookup of their addresses. */
export interface PinDeps {
  readonly policy: EgressPolicy;
  readonly lookup: Lookup;
}

/**
 * Why a host cannot be pinned: the failure code, and a message for the user that names the host and the rule, but no
 * addresses.
 */
export interface Unpinned {
  readonly ok: false;
  readonly code: "name_not_resolved" | "egress_refused";
  readonly message: string;
}

/** `omitted` is the number of addresses beyond `MAX_PINNED_ADDRESSES`. */
export type ResolveResult =
  | { readonly ok: true; readonly addresses: string[]; readonly omitted: number }
  | Unpinned;

export type PinResult = { readonly ok: true; readonly pins: Pin[] } | Unpinned;

/** Limit of the pinned addresses of a host: a name server must not control the size of the policy. */
const MAX_PINNED_ADDRESSES = 16;

/** A host with more addresses is refused without checking them. */
const MAX_FOUND_ADDRESSES = 512;

/**
 * The only hosts, addresses and ports that a scan may reach, each host resolved once. A target that is refused or
 * unknown is not pinned; a document's host that is gets no pin, and the scan goes on without the document.
 */
export async function pinTarget(
  { target, spec }: { readonly target: URL; readonly spec?: URL | undefined },
  deps: PinDeps,
): Promise<PinResult> {
  const resolved = await resolvePins(target, deps);
  if (!resolved.ok) return resolved;
  const pin = pinOf(target, resolved, deps.policy);
  if (!spec) return { ok: true, pins: [pin] };

  const documents = await resolvePins(spec, deps);
  if (!documents.ok) return { ok: true, pins: [pin] };
  const other = pinOf(spec, documents, deps.policy);
  if (other.host !== pin.host) return { ok: true, pins: [pin, other] };
  return { ok: true, pins: [{ ...pin, ports: [...new Set([...pin.ports, ...other.ports])] }] };
}

/**
 * Resolves the host of a URL, once, to the addresses that the scan is pinned to: in normal form, without repeats, sorted
 * (IPv4 first, each family by its numbers), and at most `MAX_PINNED_ADDRESSES`. One refused address refuses them all, left
 * out or not: a name with a public and a private address is not half safe.
 */
export async function resolvePins(url: URL, { policy, lookup }: PinDeps): Promise<ResolveResult> {
  const verdict = judgeHost(policy, url);
  const host = parseHostAddress(url.hostname);
  if (verdict !== "resolve" && !verdict.allowed) return refused(url, verdict.reason);
  if (host.kind === "address") return { ok: true, addresses: [host.address], omitted: 0 };
  if (host.kind === "malformed") return refused(url, host.reason);

  const found = await lookup(host.name).catch(() => []);
  if (found.length === 0) {
    return { ok: false, code: "name_not_resolved", message: `The host ${host.name} could not be resolved` };
  }
  if (found.length > MAX_FOUND_ADDRESSES)
    return refused(url, `it has more than ${MAX_FOUND_ADDRESSES} addresses`);
  for (const address of found) {
    const judged = policy.judge(address, portOf(url)!, host.name);
    if (!judged.allowed) return refused(url, judged.reason);
  }
  const distinct = distinctOf(found);
  const addresses = chosenOf(distinct).map(String);
  return { ok: true, addresses, omitted: distinct.length - addresses.length };
}

/** An IPv4-mapped address is the IPv4 address that it maps. */
function distinctOf(found: readonly string[]): Address[] {
  const parsed = found.map((address) => parseAddress(address)!);
  return [...new Map(parsed.map((address) => [String(address), address])).values()];
}

/** The first of each family, up to half of the limit each; unused slots go to the other family. */
function chosenOf(addresses: readonly Address[]): Address[] {
  const sorted = addresses.toSorted(compareAddresses);
  const v4 = sorted.filter((address) => address.kind() === "ipv4");
  const v6 = sorted.slice(v4.length);
  const most = MAX_PINNED_ADDRESSES;
  const ofV4 = v4.slice(0, Math.max(most / 2, most - v6.length));
  return [...ofV4, ...v6.slice(0, most - ofV4.length)];
}

function pinOf(
  url: URL,
  { addresses, omitted }: { readonly addresses: string[]; readonly omitted: number },
  policy: EgressPolicy,
): Pin {
  return {
    host: hostOf(url),
    addresses,
    ports: portsOf(url, addresses, policy),
    ...(omitted > 0 && { omitted }),
  };
}

/** The port of the URL; with 443 also 80, to check whether plain HTTP is redirected. */
function portsOf(url: URL, addresses: readonly string[], policy: EgressPolicy): number[] {
  const { hostname, port } = url;
  if (port !== "" || url.protocol === "http:") return [portOf(url)!];
  const plainAllowed = addresses.every((address) => policy.judge(address, 80, hostname).allowed);
  return plainAllowed ? [443, 80] : [443];
}

const refused = (url: URL, reason: string): Unpinned => ({
  ok: false,
  code: "egress_refused",
  message: `The host ${url.hostname} is refused: ${reason}`,
});
