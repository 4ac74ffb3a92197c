import ipaddr from "ipaddr.js";
import { inRange, parseRange, type Address, type Range } from "./address.ts";

/** An IPv4 address embedded in an IPv6 address, and the form of the embedding. */
export interface Embedded {
  readonly form: string;
  readonly address: ipaddr.IPv4;
}

interface Form {
  readonly form: string;
  readonly range: Range;
  /** The 16-bit group at which the IPv4 address begins. */
  readonly group: number;
  /** Teredo writes its client's address inverted (RFC 4380, section 4). */
  readonly inverted?: true;
}

const FORMS: readonly Form[] = [
  { form: "an IPv4-translated address", range: parseRange("::ffff:0:0:0/96")!, group: 6 }, // RFC 7915
  { form: "NAT64", range: parseRange("64:ff9b::/96")!, group: 6 }, // RFC 6052
  { form: "local-use NAT64", range: parseRange("64:ff9b:1::/96")!, group: 6 }, // RFC 8215
  { form: "6to4", range: parseRange("2002::/16")!, group: 1 }, // RFC 3056
  { form: "Teredo", range: parseRange("2001::/32")!, group: 6, inverted: true }, // RFC 4380
];
const COMPATIBLE = parseRange("::/96")!;

/** The IPv4 address inside an IPv6 address of a known form; undefined when there is none. Mapped ones never get here. */
export function embeddedIPv4(address: Address): Embedded | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined;
  const { parts } = address;
  if (inRange(address, COMPATIBLE)) return compatible(parts);
  const found = FORMS.find(({ range }) => inRange(address, range));
  if (found) return { form: found.form, address: ipv4At(parts, found.group, found.inverted) };
  return isIsatap(parts) ? { form: "ISATAP", address: ipv4At(parts, 6) } : undefined;
}

// `::` and `::1` are separate addresses (RFC 4291, section 2.5), not IPv4-compatible ones.
function compatible(parts: readonly number[]): Embedded | undefined {
  const own = parts[6] === 0 && parts[7]! <= 1;
  return own ? undefined : { form: "an IPv4-compatible address", address: ipv4At(parts, 6) };
}

// RFC 5214, section 6.1: 0000:5EFE or 0200:5EFE before the IPv4 address; the two other flag bits are ignored.
const isIsatap = (parts: readonly number[]): boolean => (parts[4]! & 0xfcff) === 0 && parts[5] === 0x5efe;

function ipv4At(parts: readonly number[], group: number, inverted?: true): ipaddr.IPv4 {
  const mask = inverted ? 0xffff : 0;
  const [high, low] = [parts[group]! ^ mask, parts[group + 1]! ^ mask];
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
