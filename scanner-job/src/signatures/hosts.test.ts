import { describe, expect, it } from "vitest";
import {
  internalAddressesIn,
  hostsIn,
  isNonProduction,
  siteOf,
  insecurityOf,
  upstreamAddressesIn,
} from "./hosts.ts";

describe("internalAddressesIn", () => {
  it.each([
    ['{"upstream": "http://10.20.0.15:8080/pay"}', "10.20.0.15"],
    ["connect ECONNREFUSED 172.31.255.1:5432", "172.31.255.1"],
    ["postgres://app@192.168.1.10/app", "192.168.1.10"],
    ["https://billing.svc.cluster.local/x", "billing.svc.cluster.local"],
    ["amqp://app:x7@queue.acme.internal/", "queue.acme.internal"],
    ['{"host": "db-1.prod.internal"}', "db-1.prod.internal"],
  ])("finds the address in %s", (text, address) => {
    expect(internalAddressesIn(text)).toEqual([address]);
  });

  it.each([
    ["a public address", "http://93.184.216.34/"],
    ["an address outside the range", "172.32.0.1 and 192.169.0.1 and 11.0.0.1"],
    ["no address", "10.20.300.15"],
    ["a longer number", "110.20.0.15 or 10.20.0.15.1"],
    ["a version", '{"version": "10.0.2.1"} Chrome/10.0.0.1'],
    ["the caller's address", '{"ip": "172.17.0.1", "clientAddress": "10.0.0.7"}'],
    ["a network, as settings of firewalls have it", "10.0.0.0/8"],
    ["an e-mail address", '{"email": "ada@acme.local"}'],
    ["a word with a dot", "see util.local for it"],
  ])("takes %s for none", (_, text) => {
    expect(internalAddressesIn(text)).toEqual([]);
  });

  it("lists each once, and five at most", () => {
    const many = Array.from({ length: 20 }, (_, host) => `10.0.0.${host}`).join(" ");
    expect(internalAddressesIn(`${many} ${many}`)).toHaveLength(5);
  });
});

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

it.each([
  ["api.example.com", "example.com"],
  ["example.com", "example.com"],
  ["API.Example.com.", "example.com"],
  ["api.shop.co.uk", "shop.co.uk"],
  ["api.shop.com.br", "shop.com.br"],
  ["api.shop.github.io", "shop.github.io"],
  ["api.co.example", "co.example"],
  ["t.co", "t.co"],
  ["localhost", "localhost"],
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "[::1]"],
])("siteOf %s is %s", (host, site) => {
  expect(siteOf(host)).toBe(site);
});

describe("upstreamAddressesIn", () => {
  it.each([
    ["jwks_uri", true],
    ["token_endpoint", true],
    ["callbackUrl", true],
    ["paymentWebhookUrl", true],
    ["upstream", true],
    ["source", true],
    ["website", false],
    ["avatarUrl", false],
    ["href", false],
    ["resource", false],
  ])("upstreamAddressesIn under %s finds one: %s", (name, found) => {
    const json = { items: [{ [name]: "http://billing.test/" }] };
    expect(upstreamAddressesIn(json)).toEqual(found ? [{ name, url: "http://billing.test/" }] : []);
  });

  it("stops below six levels", () => {
    let json: unknown = { upstream: "http://billing.test/" };
    for (let depth = 0; depth < 20; depth++) json = { inner: json };
    expect(upstreamAddressesIn(json)).toEqual([]);
  });

  it("takes items of a list for what their list is called", () => {
    expect(upstreamAddressesIn({ webhooks: ["http://a.test/", 7, "no address"] })).toEqual([
      { name: "webhooks", url: "http://a.test/" },
    ]);
  });
});

describe("insecurityOf", () => {
  it.each([
    ["http://billing.test/", "without encryption"],
    ["ws://billing.test/", "without encryption"],
    ["https://10.20.0.31:8080/policies", "in an internal network"],
    ["http://192.168.1.2/", "in an internal network"],
    ["https://billing.test/", undefined],
    ["http://api.shop.test/", undefined],
    ["http://localhost:3000/", undefined],
    ["http://hooks.example.com/", undefined],
    ["https://billing.corp/", "in an internal network"],
    ["http://", undefined],
  ])("insecurityOf of an upstream at %s is %s", (url, insecurity) => {
    expect(insecurityOf({ name: "upstream", url }, "www.shop.test")).toBe(insecurity);
  });

  it.each([
    ["http://encyclopedia.test/page", undefined],
    ["http://10.20.0.31:8080/policies", "in an internal network"],
  ])("insecurityOf of a source at %s, which may be a citation, is %s", (url, insecurity) => {
    expect(insecurityOf({ name: "source", url }, "www.shop.test")).toBe(insecurity);
  });
});
