import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An address range; `prefix` counts bits. */
export interface Range {
  readonly network: Address;
  readonly prefix: number;
}

/**
 * The address that a text denotes, in its plain notation only (four decimal octets, or RFC 4291). An IPv4-mapped
 * address is returned as the IPv4 address that the kernel connects to. Undefined for everything else, including zone ids.
 */
export function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text);
  return isIPv6(text) && !text.includes("%") ? withoutMapping(parseIPv6(text)) : undefined;
}

/** The range that a CIDR or a bare address denotes; a range of IPv4-mapped addresses is returned as an IPv4 range. */
export function parseRange(text: string): Range | undefined {
  const [, address, digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (address === undefined || address.includes("%")) return undefined;
  if (isIPv4(address)) return checked(ipaddr.IPv4.parse(address), digits, 32);
  const range = isIPv6(address) ? checked(parseIPv6(address), digits, 128) : undefined;
  if (range === undefined || range.prefix < 96) return range;
  const network = withoutMapping(range.network);
  return { network, prefix: network.kind() === "ipv4" ? range.prefix - 96 : range.prefix };
}

/** The order of addresses: IPv4 before IPv6, and each by its number. */
export function compareAddresses(one: Address, other: Address): number {
  if (one.kind() !== other.kind()) return one.kind() === "ipv4" ? -1 : 1;
  return Buffer.compare(Buffer.from(one.toByteArray()), Buffer.from(other.toByteArray()));
}

/** True when the address lies in the range; an address of the other family never does. */
export const inRange = (address: Address, { network, prefix }: Range): boolean =>
  address.kind() === network.kind() && address.match(network, prefix);

/** True when the range is one address and no more. */
export const isSingle = ({ network, prefix }: Range): boolean =>
  prefix === (network.kind() === "ipv4" ? 32 : 128);

/** The first address of the range: its bits behind the prefix cleared. */
export function networkOf({ network, prefix }: Range): Address {
  const bytes = network.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, prefix - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
  return ipaddr.fromByteArray(bytes);
}

// ipaddr.js reads `::1.2.3.4` as `::ffff:1.2.3.4`, which is another address; the URL parser spells it in hex first.
const parseIPv6 = (text: string): ipaddr.IPv6 =>
  ipaddr.IPv6.parse(new URL(`http://[${text}]`).hostname.slice(1, -1));

const withoutMapping = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;

function checked(network: Address, digits: string | undefined, longest: number): Range | undefined {
  const prefix = digits === undefined ? longest : Number(digits);
  return prefix <= longest ? { network, prefix } : undefined;
}
