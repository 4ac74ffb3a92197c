import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clientAddress, countClient, networksOf } from "./client-network.ts";
import { memoryCounter } from "./rate-counter.ts";

const UNKNOWN = ["address:unknown"];
const rows: readonly (readonly [string | undefined, readonly string[]])[] = [
  ["192.0.2.7", ["address:192.0.2.7"]],
  ["::ffff:192.0.2.7", ["address:192.0.2.7"]],
  ["::FFFF:192.0.2.7", ["address:192.0.2.7"]],
  ["192.0.2.7:40001", ["address:192.0.2.7"]],
  [
    "2001:db8:1:2345:6:7:8:9",
    ["address:2001:db8:1:2345::/64", "address:2001:db8:1:2300::/56", "address:2001:db8:1::/48"],
  ],
  [
    "[2001:DB8:1:23ff::9]:443",
    ["address:2001:db8:1:23ff::/64", "address:2001:db8:1:2300::/56", "address:2001:db8:1::/48"],
  ],
  ["[2001:0db8:0001::9]", ["address:2001:db8:1::/64", "address:2001:db8:1::/56", "address:2001:db8:1::/48"]],
  ["::1", ["address:::/64", "address:::/56", "address:::/48"]],
  ["fe80::1%eth0", ["address:fe80::/64", "address:fe80::/56", "address:fe80::/48"]],
  [undefined, UNKNOWN],
  ["", UNKNOWN],
  ["unknown", UNKNOWN],
  ["_hidden", UNKNOWN],
  ["192.0.2.7:port", UNKNOWN],
  ["999.0.2.7:40001", UNKNOWN],
  ["1", UNKNOWN],
  ["0x7f.1", UNKNOWN],
];
test.each(rows)("%s is counted as %j", (address, keys) => {
  expect(networksOf(address).map(({ key }) => key)).toEqual(keys);
});

test("any address of a client is an address in its normal form or none", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.webAuthority()), (said) => {
      const address = clientAddress(said);
      expect(clientAddress(address)).toBe(address);
      if (address === undefined) expect(networksOf(said).map(({ key }) => key)).toEqual(UNKNOWN);
    }),
  );
});

describe("a limit of 20", () => {
  const count = (counter = memoryCounter()) => {
    const limit = { limit: 20, now: new Date(0) };
    return async (address: string) => (await countClient(counter, { address }, limit)).exceeded;
  };
  /** How many of these addresses one request each is accepted of. */
  async function accepted(addresses: readonly string[]): Promise<number> {
    const isExceeded = count();
    let total = 0;
    for (const address of addresses) if (!(await isExceeded(address))) total++;
    return total;
  }
  const many = (of: (n: number) => string) => Array.from({ length: 600 }, (_, n) => of(n));
  const hex = (n: number) => n.toString(16);

  test("holds for an address however many ports it has", async () => {
    expect(await accepted(many((n) => `203.0.113.77:${40_000 + n}`))).toBe(20);
  });

  test("holds for everything that is not an address together", async () => {
    expect(await accepted(many((n) => `unknown-${n}`))).toBe(20);
  });

  test("a limit of 20 is 4 times as high for a /56, and 16 times for a /48", async () => {
    expect(await accepted(many((n) => `2001:db8:1:2300::${hex(n + 1)}`))).toBe(20);
    expect(await accepted(many((n) => `2001:db8:1:23${hex(n % 256).padStart(2, "0")}::1`))).toBe(80);
    expect(await accepted(many((n) => `2001:db8:1:${hex(n * 100)}::1`))).toBe(320);
    expect(await accepted(many((n) => `2001:db8:${hex(n)}::1`))).toBe(600);
  });
});
