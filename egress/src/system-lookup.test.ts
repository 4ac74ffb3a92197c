import { describe, expect, test, vi } from "vitest";
import { systemLookup } from "./system-lookup.ts";

const dns = vi.hoisted(() => ({ stuck: false }));
vi.mock("node:dns/promises", async (importOriginal) => {
  const real = await importOriginal<typeof import("node:dns/promises")>();
  return {
    ...real,
    lookup: (...args: Parameters<typeof real.lookup>) =>
      dns.stuck ? new Promise(() => undefined) : real.lookup(...args),
  };
});

describe("systemLookup", () => {
  test("finds the addresses of a name in the hosts file", async () => {
    const addresses = await systemLookup(10_000)("localhost");
    expect(addresses.some((address) => ["127.0.0.1", "::1"].includes(address))).toBe(true);
  });

  test("returns an address as it is, in either family", async () => {
    expect(await systemLookup(10_000)("192.0.2.7")).toEqual(["192.0.2.7"]);
    expect(await systemLookup(10_000)("2001:db8::7")).toEqual(["2001:db8::7"]);
  });

  test("rejects for what cannot be a name", async () => {
    await expect(systemLookup(10_000)("a".repeat(64))).rejects.toThrow();
  });

  test("rejects when the answer takes too long", async () => {
    dns.stuck = true;
    await expect(systemLookup(20)("localhost")).rejects.toThrow("could not be resolved within 20 ms");
    dns.stuck = false;
  });
});
