import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  REFUSED_V4,
  REFUSED_V6,
  v4Of,
  v6Of,
  oneOf,
  anyV4,
  globalV6,
  spelt,
  mapped,
  spelt6,
} from "./testing/address-arbitraries.ts";
import { parseHostAddress } from "./host-address.ts";
import { judgeHost } from "./host.ts";
import { createEgressPolicy } from "./policy.ts";

const policy = createEgressPolicy();
const allowed = (address: string, port = 443): boolean => policy.judge(address, port).allowed;

function expectRefused(host: string): void {
  const parsed = parseHostAddress(host);
  expect(parsed.kind).toBe("address");
  expect(allowed(parsed.kind === "address" ? parsed.address : "")).toBe(false);
  expect(judgeHost(policy, new URL(`https://${host}/`))).toMatchObject({ allowed: false });
}

describe("an address that is not public", () => {
  test("an address that is not public is refused in every notation of IPv4 that a URL parser or a resolver takes", () => {
    fc.assert(fc.property(oneOf(REFUSED_V4).chain(spelt), expectRefused), { numRuns: 1000 });
  });

  test("an address that is not public is refused as an IPv4-mapped address", () => {
    fc.assert(
      fc.property(oneOf(REFUSED_V4), (value) => {
        for (const text of mapped(value)) {
          expect(allowed(text)).toBe(false);
          expectRefused(`[${text}]`);
        }
      }),
    );
  });

  test("an address that is not public is refused in every notation of IPv6", () => {
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

  test("an address that is not public is refused inside every IPv6 form that carries an IPv4 address", () => {
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

  test("a public address is allowed exactly when no special-purpose registry lists it (IPv4)", () => {
    fc.assert(
      fc.property(fc.oneof(anyV4, oneOf(REFUSED_V4)), (value) => {
        expect(allowed(v4Of(value))).toBe(!isListed4(value));
      }),
      { numRuns: 2000 },
    );
  });

  test("a public address is allowed in global unicast outside the special ranges (IPv6)", () => {
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

  test("a public address is allowed through the well-known NAT64 prefix, as IPv6-only networks reach IPv4", () => {
    const publicV4 = anyV4.filter((value) => !isListed4(value));
    fc.assert(
      fc.property(publicV4, (value) => {
        expect(allowed(`64:ff9b::${v4Of(value)}`)).toBe(true);
      }),
    );
  });
});
