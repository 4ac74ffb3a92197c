import { describe, expect, it } from "vitest";
import { createScope } from "./scope.ts";

const scope = createScope([
  { host: "api.example", addresses: ["192.0.2.7", "2001:db8::7"], ports: [443, 80] },
  { host: "::1", addresses: ["::1"], ports: [8443] },
]);

const lookup = (host: string, options: { all?: boolean }) =>
  new Promise((resolve) =>
    scope.lookup(host, options, (error, address, family) => resolve(error ? error.code : [address, family])),
  );

describe("a scope", () => {
  it.each(["https://api.example/", "https://API.example./", "http://api.example/", "https://[::1]:8443/"])(
    "admits %s",
    (url) => expect(() => scope.admit(new URL(url))).not.toThrow(),
  );

  it.each([
    "https://api.example:8443/",
    "https://other.example/",
    "https://127.0.0.1/",
    "https://api.example.evil.example/",
    "https://192.0.2.7/",
    "https://[::1]/",
  ])("refuses %s", (url) => expect(() => scope.admit(new URL(url))).toThrow(/outside the scan's scope/));

  it("resolves a pinned host to its pinned addresses only", async () => {
    expect(await lookup("api.example", {})).toEqual(["192.0.2.7", 4]);
    const all = [
      { address: "192.0.2.7", family: 4 },
      { address: "2001:db8::7", family: 6 },
    ];
    expect(await lookup("api.example", { all: true })).toEqual([all, undefined]);
  });

  it("resolves no other host, and uses no DNS", async () => {
    expect(await lookup("localhost", {})).toBe("ENOTFOUND");
  });
});
