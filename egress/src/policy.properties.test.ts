import { BlockList, isIPv4 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEgressAllow } from "./allowance.ts";
import { judgeHost, parseHostAddress } from "./host.ts";
import { createEgressPolicy } from "./policy.ts";

/** IANA special-purpose registries (RFC 6890 and later), kept apart from the code's own tables on purpose. */
const REFUSED_V4 = [
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
const REFUSED_V6 = [
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

const v4Of = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join(".");
const groupsOf = (value: bigint): string[] =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16));
const v6Of = (value: bigint): string => groupsOf(value).join(":");
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

const oneOf = (cidrs: readonly string[]) => fc.oneof(...cidrs.map(inside));
const anyV4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n });
const globalV6 = inside("2000::/3");

const number = (value: bigint): fc.Arbitrary<string> =>
  fc.constantFrom(
    value.toString(),
    `0x${value.toString(16)}`,
    `0X${value.toString(16).toUpperCase()}`,
    `0${value.toString(8)}`,
    `000${value.toString(8)}`,
  );

/** An IPv4 address as inet_aton takes it: one to four parts, each decimal, octal or hexadecimal, with dots behind. */
const spelt = (value: bigint): fc.Arbitrary<string> =>
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

const mapped = (value: bigint): string[] => [
  `::ffff:${v4Of(value)}`,
  v6Of((0xffffn << 32n) | value),
  `0:0:0:0:0:FFFF:${v4Of(value)}`,
];
const spelt6 = (value: bigint): string[] => [
  v6Of(value),
  v6Of(value).toUpperCase(),
  new URL(`http://[${v6Of(value)}]`).hostname.slice(1, -1),
  `${groupsOf(value).slice(0, 6).join(":")}:${v4Of(value & 0xffff_ffffn)}`,
];

const policy = createEgressPolicy();
const allowed = (address: string, port = 443): boolean => policy.judge(address, port).allowed;

function expectRefused(host: string): void {
  const parsed = parseHostAddress(host);
  expect(parsed.kind).toBe("address");
  expect(allowed(parsed.kind === "address" ? parsed.address : "")).toBe(false);
  expect(judgeHost(policy, new URL(`https://${host}/`))).toMatchObject({ allowed: false });
}

describe("an address that is not public", () => {
  test("is refused in every notation of IPv4 that a URL parser or a resolver takes", () => {
    fc.assert(fc.property(oneOf(REFUSED_V4).chain(spelt), expectRefused), { numRuns: 1000 });
  });

  test("is refused as an IPv4-mapped address", () => {
    fc.assert(
      fc.property(oneOf(REFUSED_V4), (value) => {
        for (const text of mapped(value)) {
          expect(allowed(text)).toBe(false);
          expectRefused(`[${text}]`);
        }
      }),
    );
  });

  test("is refused in every notation of IPv6", () => {
    // Of the first range, NAT64 and mapped addresses may be public: other properties hold those.
    const refused = oneOf(REFUSED_V6).filter(
      (value) => value >> 32n !== 0x64ff9bn << 64n && value >> 32n !== 0xffffn,
    );
    fc.assert(
      fc.property(refused, (value) => {
        for (const text of spelt6(value)) {
          expect(allowed(text)).toBe(false);
          expectRefused(`[${text}]`);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("is refused inside every IPv6 form that carries an IPv4 address", () => {
    const low64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(oneOf(REFUSED_V4), low64, globalV6, (value, rest, prefix) => {
        const forms = [
          value,
          (0xffffn << 32n) | value,
          (0xffff0000n << 32n) | value,
          (0x64ff9bn << 96n) | value,
          (0x64ff9b0001n << 80n) | value,
          (0x2002n << 112n) | (value << 80n) | rest,
          (0x20010000n << 96n) | (rest << 32n) | (value ^ 0xffff_ffffn),
          ((prefix >> 64n) << 64n) | (0x5efen << 32n) | value,
          ((prefix >> 64n) << 64n) | (0x02005efen << 32n) | value,
        ];
        for (const form of forms) expect(allowed(v6Of(form))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a public address", () => {
  // One list each: a BlockList holds an IPv4 address against its IPv6 ranges too, as a mapped one.
  const listOf = (cidrs: readonly string[], family: "ipv4" | "ipv6"): ((value: bigint) => boolean) => {
    const list = new BlockList();
    for (const [network, prefix] of cidrs.map((cidr) => cidr.split("/"))) {
      list.addSubnet(network!, Number(prefix), family);
    }
    return (value) => list.check(family === "ipv4" ? v4Of(value) : v6Of(value), family);
  };
  const isListed4 = listOf(REFUSED_V4, "ipv4");
  const isListed6 = listOf(REFUSED_V6, "ipv6");

  test("is allowed exactly when no special-purpose registry lists it (IPv4)", () => {
    fc.assert(
      fc.property(fc.oneof(anyV4, oneOf(REFUSED_V4)), (value) => {
        expect(allowed(v4Of(value))).toBe(!isListed4(value));
      }),
      { numRuns: 2000 },
    );
  });

  test("is allowed in global unicast outside the special ranges (IPv6)", () => {
    const publicV6 = globalV6.filter(
      (value) => !isListed6(value) && ((value >> 32n) & 0xfcff_ffffn) !== 0x5efen,
    );
    fc.assert(
      fc.property(publicV6, (value) => {
        expect(allowed(v6Of(value))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("is allowed through the well-known NAT64 prefix, as IPv6-only networks reach IPv4", () => {
    const publicV4 = anyV4.filter((value) => !isListed4(value));
    fc.assert(
      fc.property(publicV4, (value) => {
        expect(allowed(`64:ff9b::${v4Of(value)}`)).toBe(true);
      }),
    );
  });
});

describe("the allow-list", () => {
  const port = fc.integer({ min: 1, max: 65_535 });
  const anyAddress = fc.oneof(
    oneOf(REFUSED_V4).map(v4Of),
    anyV4.map(v4Of),
    oneOf(REFUSED_V6).map(v6Of),
    globalV6.map(v6Of),
  );

  test("of a range changes the verdict inside that range only", () => {
    fc.assert(
      fc.property(oneOf(REFUSED_V4), fc.integer({ min: 0, max: 32 }), anyAddress, (value, prefix, other) => {
        const network = (value >> BigInt(32 - prefix)) << BigInt(32 - prefix);
        const wider = createEgressPolicy({ allow: parseEgressAllow(`${v4Of(network)}/${prefix}`) });
        const named = new BlockList();
        named.addSubnet(v4Of(network), prefix, "ipv4");
        if (!named.check(other, isIPv4(other) ? "ipv4" : "ipv6")) {
          expect(wider.judge(other, 443)).toEqual(policy.judge(other, 443));
        }
        const metadata = policy.judge(v4Of(value), 443);
        const locked = !metadata.allowed && metadata.reason === "metadata" && prefix < 32;
        expect(wider.judge(v4Of(value), 443).allowed).toBe(!locked);
      }),
      { numRuns: 1000 },
    );
  });

  test("of an address and a port changes the verdict for both together only", () => {
    fc.assert(
      fc.property(oneOf(REFUSED_V4).map(v4Of), port, port, anyAddress, (listed, open, probed, other) => {
        const wider = createEgressPolicy({ allow: parseEgressAllow(`${listed}:${open}`) });
        expect(wider.judge(listed, open)).toEqual({ allowed: true });
        if (probed !== open) expect(wider.judge(listed, probed).allowed).toBe(false);
        if (other !== listed) expect(wider.judge(other, open)).toEqual(policy.judge(other, open));
      }),
      { numRuns: 500 },
    );
  });

  test("of a name and a port changes the verdict for both together only", () => {
    fc.assert(
      fc.property(anyAddress, port, port, fc.domain(), (address, open, probed, other) => {
        const wider = createEgressPolicy({ allow: parseEgressAllow(`api.corp:${open}`) });
        expect(wider.judge(address, open, other)).toEqual(policy.judge(address, open));
        expect(wider.judge(address, open)).toEqual(policy.judge(address, open));
        if (probed !== open)
          expect(wider.judge(address, probed, "api.corp")).toEqual(policy.judge(address, probed));
      }),
    );
  });
});
