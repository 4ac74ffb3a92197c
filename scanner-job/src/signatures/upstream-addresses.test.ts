import { describe, expect, it } from "vitest";
import { insecurityOf, upstreamAddressesIn } from "./upstream-addresses.ts";

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
  ])("under %s finds one: %s", (name, found) => {
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
  ])("of an upstream at %s is %s", (url, insecurity) => {
    expect(insecurityOf({ name: "upstream", url }, "www.shop.test")).toBe(insecurity);
  });

  it.each([
    ["http://encyclopedia.test/page", undefined],
    ["http://10.20.0.31:8080/policies", "in an internal network"],
  ])("of a source at %s, which may be a citation, is %s", (url, insecurity) => {
    expect(insecurityOf({ name: "source", url }, "www.shop.test")).toBe(insecurity);
  });
});
