import ipaddr from "ipaddr.js";

/**
 * What a client without a key is counted by: its IPv4 address, or the /64 of its IPv6 address, since one subscriber
 * commonly holds all of a /64.
 */
export function addressKey(address: string | undefined): string {
  if (!address || !ipaddr.isValid(address)) return `address:${address ?? "unknown"}`;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return `address:${parsed.toString()}`;
  const prefix = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `address:${prefix.join(":")}::/64`;
}
