import { describe, expect, test, vi } from "vitest";
import { parseEgressAllow } from "./allowance.ts";
import { resolvePins, type Lookup } from "./pins.ts";
import { createEgressPolicy } from "./policy.ts";

const found = (...addresses: string[]) => vi.fn<Lookup>(async () => addresses);
const resolve = (address: string, lookup: Lookup, allow = "") =>
  resolvePins(new URL(address), { policy: createEgressPolicy({ allow: parseEgressAllow(allow) }), lookup });

describe("resolvePins", () => {
  test("pins the addresses of a public host, in normal form, once each and sorted", async () => {
    const lookup = found("8.8.8.8", "::ffff:8.8.8.8", "2606:4700:0:0::1111", "2606:4700::1111", "1.1.1.1");
    expect(await resolve("https://api.example.com/v1?x=1", lookup)).toEqual({
      ok: true,
      addresses: ["1.1.1.1", "8.8.8.8", "2606:4700::1111"],
      omitted: 0,
    });
  });

  test("looks a host up once, by its normal form", async () => {
    const lookup = found("8.8.8.8");
    await resolve("https://BÜCHER.example./", lookup);
    expect(lookup.mock.calls).toEqual([["xn--bcher-kva.example"]]);
  });

  test.each([
    [["10.0.0.1"], "private"],
    [["8.8.8.8", "10.0.0.1"], "private"],
    [["10.0.0.1", "8.8.8.8"], "private"],
    [["8.8.8.8", "2606:4700::1111", "::1"], "loopback"],
    [["8.8.8.8", "169.254.169.254"], "metadata"],
    [["64:ff9b::127.0.0.1"], "loopback (inside NAT64)"],
    [["fe80::1%eth0"], "zone id"],
    [["8.8.8.8", "0x7f.1"], "not an IP address"],
    [["8.8.8.8", ""], "not an IP address"],
  ])("refuses a host with the addresses %j: %s", async (addresses, reason) => {
    expect(await resolve("https://api.example.com/", found(...addresses))).toEqual({
      ok: false,
      code: "egress_refused",
      message: `The host api.example.com is refused: ${reason}`,
    });
  });

  test.each([
    ["https://127.0.0.1/", "loopback"],
    ["https://[::1]/", "loopback"],
    ["https://2852039166/", "metadata"],
    ["https://localhost/", "local name"],
    ["https://db.internal/", "local name"],
    ["ftp://example.com/", "not an HTTP address"],
  ])("refuses %s without a look-up: %s", async (address, reason) => {
    const lookup = found("8.8.8.8");
    const result = await resolve(address, lookup);
    expect(result).toMatchObject({
      ok: false,
      code: "egress_refused",
      message: expect.stringContaining(reason),
    });
    expect(lookup).not.toHaveBeenCalled();
  });

  test.each([
    ["https://8.8.8.8/", "8.8.8.8"],
    ["https://134744072/", "8.8.8.8"],
    ["https://[::ffff:808:808]/", "8.8.8.8"],
    ["https://[2606:4700:0::1111]/", "2606:4700::1111"],
  ])("pins the address in %s without a look-up", async (address, pin) => {
    const lookup = found();
    expect(await resolve(address, lookup)).toEqual({ ok: true, addresses: [pin], omitted: 0 });
    expect(lookup).not.toHaveBeenCalled();
  });

  test("says not_resolved when the host has no address", async () => {
    expect(await resolve("https://api.example.com/", found())).toEqual({
      ok: false,
      code: "name_not_resolved",
      message: "The host api.example.com could not be resolved",
    });
  });

  test("says not_resolved when the look-up fails, and nothing of the failure", async () => {
    const failing: Lookup = async () => {
      throw new Error("queryA ESERVFAIL via 10.0.0.53");
    };
    const result = await resolve("https://api.example.com/", failing);
    expect(result).toMatchObject({ ok: false, code: "name_not_resolved" });
    expect(JSON.stringify(result)).not.toContain("10.0.0.53");
  });

  test("names no address in a refusal", async () => {
    const result = await resolve("https://api.example.com/", found("10.11.12.13"));
    expect(JSON.stringify(result)).not.toContain("10.11.12.13");
  });

  test("pins a local name to its private address when the allow-list has name and port", async () => {
    const pinned = { ok: true, addresses: ["127.0.0.1", "::1"], omitted: 0 };
    expect(await resolve("https://localhost:8443/", found("127.0.0.1", "::1"), "localhost:8443")).toEqual(
      pinned,
    );
  });

  test("refuses a name with a private address on a port that the allow-list does not have", async () => {
    const lookup = found("10.0.0.1");
    const allow = "api.example.com:8443";
    expect(await resolve("https://api.example.com:8443/", lookup, allow)).toMatchObject({ ok: true });
    expect(await resolve("https://api.example.com/", lookup, allow)).toMatchObject({
      code: "egress_refused",
    });
  });

  test("pins a name in an allow-listed range", async () => {
    expect(await resolve("https://api.example.com/", found("10.0.0.1"), "10.0.0.0/8")).toMatchObject({
      ok: true,
    });
  });
});
