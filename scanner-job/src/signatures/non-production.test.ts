import { describe, expect, it } from "vitest";
import { hostsIn, isNonProduction } from "./non-production.ts";

describe("isNonProduction", () => {
  it.each([
    "staging.acme.com",
    "api-staging.acme.com",
    "api.dev.acme.com",
    "dev2.acme.com",
    "qa-eu.acme.com",
    "test.acme.com",
    "db.prod.internal",
  ])("knows %s", (host) => expect(isNonProduction(host)).toBe(true));

  it.each([
    "api.acme.com",
    "developer.acme.com",
    "developers.acme.com",
    "sandbox.acme.com",
    "latest.acme.com",
    "api.acme.test",
    "acme.dev",
    "devices.acme.com",
  ])("takes %s for production", (host) => expect(isNonProduction(host)).toBe(false));
});

describe("hostsIn", () => {
  it("finds the hosts of addresses and of policies, once each", () => {
    expect(
      hostsIn("default-src 'self' *.acme.com https://api.acme.com:8443/x cdn.acme.com; API.acme.com"),
    ).toEqual(["acme.com", "api.acme.com", "cdn.acme.com"]);
  });

  it.each(["", "*", "default-src 'none'", "no host here"])("finds none in %j", (text) => {
    expect(hostsIn(text)).toEqual([]);
  });
});
