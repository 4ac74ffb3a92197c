import ipaddr from "ipaddr.js";
import { inRange, parseRange, type Address, type Range } from "./address.ts";
import { embeddedIPv4 } from "./embedded.ts";

/**
 * Addresses of metadata services. Most are in private ranges; they are listed because a wide entry of the allow-list must not
 * allow them by accident.
 */
const METADATA = ranges(
  "169.254.169.254", // AWS, Azure, Google Cloud, OpenStack and others
  "169.254.169.253", // AWS: resolver
  "169.254.170.2", // AWS: container credentials
  "169.254.170.23", // AWS: EKS Pod Identity
  "169.254.42.42", // Scaleway
  "100.100.100.200", // Alibaba Cloud
  "168.63.129.16", // Azure: wire server, in a range that is otherwise public
  "192.0.0.192", // Oracle Cloud
  "fd00:ec2::254", // AWS
  "fd00:ec2::253", // AWS: resolver
  "fd00:ec2::23", // AWS: EKS Pod Identity
  "fd20:ce::254", // Google Cloud
  "fd00:42::42", // Scaleway
);

/** Ranges that are not public, by the name a reader knows (IANA special-purpose registries, RFC 6890). */
const SPECIAL: readonly (readonly [string, readonly Range[]])[] = [
  ["unspecified", ranges("0.0.0.0/8", "::")],
  ["loopback", ranges("127.0.0.0/8", "::1")],
  ["private", ranges("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")],
  ["link-local", ranges("169.254.0.0/16", "fe80::/10")],
  ["site-local", ranges("fec0::/10")],
  ["carrier-grade NAT", ranges("100.64.0.0/10")],
  ["protocol assignments", ranges("192.0.0.0/24")],
  [
    "documentation",
    ranges("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"),
  ],
  ["benchmarking", ranges("198.18.0.0/15", "2001:2::/48")],
  ["multicast", ranges("224.0.0.0/4", "ff00::/8")],
  ["broadcast", ranges("255.255.255.255")],
  ["reserved", ranges("240.0.0.0/4")],
  ["discard", ranges("100::/64")],
  ["6to4", ranges("2002::/16", "192.88.99.0/24")],
  ["Teredo", ranges("2001::/32")],
  // The mapping of these addresses is chosen by the operator of the translator (RFC 8215), so all are refused.
  ["local-use NAT64", ranges("64:ff9b:1::/48")],
];
const GLOBAL_UNICAST = ranges("2000::/3");
const NAT64 = ranges("64:ff9b::/96");

/** True for an address of a metadata or credential service, or one that a NAT64 translator would map to it. */
export function leadsToMetadata(address: Address): boolean {
  const inside = embeddedIPv4(address)?.address;
  return isMetadata(address) || (inside !== undefined && isMetadata(inside));
}

const isMetadata = (address: Address): boolean => METADATA.some((range) => inRange(address, range));

/**
 * The name of the range because of which an address is refused; undefined if it is public unicast. An IPv6 address with an
 * embedded IPv4 address is public only if that one is.
 */
export function specialRangeOf(address: Address): string | undefined {
  if (isMetadata(address)) return "metadata";
  const embedded = embeddedIPv4(address);
  const inside = embedded && specialRangeOf(embedded.address);
  if (inside !== undefined) return `${inside} (inside ${embedded!.form})`;
  const named = SPECIAL.find(([, members]) => members.some((range) => inRange(address, range)));
  if (named) return named[0];
  if (NAT64.some((range) => inRange(address, range))) return undefined;
  if (address instanceof ipaddr.IPv6 && !GLOBAL_UNICAST.some((range) => inRange(address, range)))
    return "not global unicast";
  return address.range() === "unicast" ? undefined : "reserved";
}

function ranges(...texts: string[]): Range[] {
  return texts.map((text) => parseRange(text)!);
}
