import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalPath, readingsOf } from "./request-readings.ts";

const at = (path: string, more: object = {}) => ({
  method: "GET",
  url: `https://api.example${path}`,
  ...more,
});
const callsOf = (request: Parameters<typeof readingsOf>[0]): string[] =>
  readingsOf(request).flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`));

describe("a request may be taken for", () => {
  test.each<[string, Parameters<typeof readingsOf>[0], string[]]>([
    ["what it says", at("/orders/7?a=/b"), ["GET /orders/7"]],
    ["a GET, where it is a HEAD", at("/orders", { method: "HEAD" }), ["HEAD /orders", "GET /orders"]],
    [
      "the method of a header",
      at("/orders", { headers: { "X-HTTP-Method-Override": "delete" } }),
      ["GET /orders", "DELETE /orders"],
    ],
    ["the method of a parameter", at("/orders?_method=DELETE"), ["GET /orders", "DELETE /orders"]],
    [
      "the path of a header",
      at("/", { headers: { "x-original-url": "/billing/%69nvoices?x=1" } }),
      ["GET /", "GET /billing/invoices", "GET /billing/%69nvoices"],
    ],
    [
      "the path of an address in a header",
      at("/", { headers: { "X-Rewrite-URL": "https://api.example/billing" } }),
      ["GET /", "GET /billing"],
    ],
    [
      "itself, whatever its other headers are",
      at("/a", { headers: { referer: "/b", "x-url": "b" } }),
      ["GET /a"],
    ],
    [
      "the path as it is sent",
      at("/a", { rawPath: "/none/..;/billing?x" }),
      ["GET /billing", "GET /none/..;/billing"],
    ],
  ])("%s", (_, request, calls) => {
    expect(callsOf(request).toSorted()).toEqual(calls.toSorted());
  });
});

describe("the usual spelling of", () => {
  test.each([
    ["//billing", "/billing"],
    ["/%2e/billing", "/billing"],
    ["/x/%252e%252e/billing", "/billing"],
    ["/billing;v=1/a;b", "/billing/a"],
    ["/bill%69ng/", "/billing"],
    ["/x\\..\\billing", "/billing"],
    ["/billing%2Finvoices", "/billing/invoices"],
    ["/%zz/%69", "/%zz/i"],
    ["/%ff/%69", "/%ff/i"],
    ["/../..", "/"],
    ["", "/"],
  ])("%s is %s", (path, normal) => {
    expect(normalPath(path)).toBe(normal);
  });

  test("any path is its own, and has no empty or dot segment", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const normal = normalPath(text);
        expect(
          normal
            .split("/")
            .slice(1)
            .some((segment) => segment === "." || segment === ".."),
        ).toBe(false);
        if (!normal.includes("%")) expect(normalPath(normal)).toBe(normal);
      }),
    );
  });
});
