import { isIPv4 } from "node:net";
import fc from "fast-check";

/** IANA special-purpose registries (RFC 6890 and later), kept apart from the code's own tables on purpose. */
export const REFUSED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
];
export const REFUSED_V6 = [
  "::/8",
  "100::/8",
  "200::/7",
  "400::/6",
  "800::/5",
  "1000::/4",
  "4000::/2",
  "8000::/1",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "2620:4f:8000::/48",
  "3fff::/20",
  "64:ff9b:1::/48",
];

export const v4Of = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
const groupsOf = (value: bigint): string[] =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16));
export const v6Of = (value: bigint): string => groupsOf(value).join(":");
const valueOf = (address: string): bigint =>
  isIPv4(address)
    ? address.split(".").reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n)
    : expanded(address).reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);

function expanded(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const [left, right] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [
    string[],
    string[],
  ];
  return tail === undefined
    ? left
    : [...left, ...Array<string>(8 - left.length - right.length).fill("0"), ...right];
}

/** A number anywhere in the CIDR, its two ends more often than chance would have them. */
function inside(cidr: string): fc.Arbitrary<bigint> {
  const [address, prefix] = cidr.split("/") as [string, string];
  const size = 1n << BigInt((isIPv4(address) ? 32 : 128) - Number(prefix));
  const first = valueOf(address);
  return fc
    .oneof(fc.bigInt({ min: 0n, max: size - 1n }), fc.constantFrom(0n, size - 1n))
    .map((offset) => first + offset);
}

export const oneOf = (cidrs: readonly string[]) => fc.oneof(...cidrs.map(inside));
export const anyV4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
export const globalV6 = inside("2000::/3");

const number = (value: bigint): fc.Arbitrary<string> =>
  fc.constantFrom(
    value.toString(),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0${value.toString(8)}`,
    `000${value.toString(8)}`,
  );

/** An IPv4 address as inet_aton takes it: one to four parts, each decimal, octal or hexadecimal, with dots behind. */
export const spelt = (value: bigint): fc.Arbitrary<string> =>
  fc.integer({ min: 1, max: 4 }).chain((count) => {
    const octets = [24n, 16n, 8n].slice(0, count - 1).map((shift) => (value >> shift) & 0xffn);
    const last = value & ((1n << BigInt(8 * (5 - count))) - 1n);
    return fc
      .tuple(
        fc.tuple(...[...octets, last].map(number)),
        fc.constantFrom(".", "。", "．", "%2e"),
        fc.constantFrom("", "."),
      )
      .chain(([parts, dot, end]) => fullWidthOrNot(parts.join(dot) + end));
  });

const fullWidthOrNot = (text: string): fc.Arbitrary<string> =>
  fc.boolean().map((wide) => {
    const widen = (digit: string) => String.fromCodePoint(digit.codePointAt(0)! + 0xfee0);
    return wide && !text.includes("%") ? text.replaceAll(/\d/g, widen) : text;
  });

export const mapped = (value: bigint): string[] => [
  `::ffff:${v4Of(value)}`,
  v6Of((0xffffn << 32n) | value),
  `0:0:0:0:0:FFFF:${v4Of(value)}`,
];
export const spelt6 = (value: bigint): string[] => [
  v6Of(value),
  v6Of(value).toUpperCase(),
  new URL(`http://[${v6Of(value)}]`).hostname.slice(1, -1),
  `${groupsOf(value).slice(0, 6).join(":")}:${v4Of(value & 0xffff_ffffn)}`,
];
