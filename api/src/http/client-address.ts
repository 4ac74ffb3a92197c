import { isIPv6 } from "node:net";

/**
 * What a client without a key is counted by: its IPv4 address, or the /64 of its IPv6 address, since one subscriber
 * commonly holds all of a /64.
 */
export function addressKey(address: string | undefined): string {
  if (!address) return "address:unknown";
  const plain = address.replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped) return `address:${mapped}`;
  return isIPv6(plain) ? `address:${prefix64(plain)}` : `address:${plain}`;
}

function prefix64(address: string): string {
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head ? head.split(":") : [];
  const after = tail ? tail.split(":") : [];
  // An embedded IPv4 part stands for two groups.
  const length = before.length + after.length + (address.includes(".") ? 1 : 0);
  const zeros = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - length) }, () => "0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
