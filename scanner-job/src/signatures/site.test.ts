import { expect, it } from "vitest";
import { siteOf } from "./site.ts";

it.each([
  ["api.example.com", "example.com"],
  ["example.com", "example.com"],
  ["API.Example.com.", "example.com"],
  ["api.shop.co.uk", "shop.co.uk"],
  ["api.co.example", "co.example"],
  ["t.co", "t.co"],
  ["localhost", "localhost"],
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "[::1]"],
])("siteOf %s is %s", (host, site) => {
  expect(siteOf(host)).toBe(site);
});
