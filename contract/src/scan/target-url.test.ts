import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../errors.ts";
import { MAX_URL_LENGTH, parseTargetUrl, readTargetUrl } from "./target-url.ts";

const CONTROL = "contains a space, a backslash or a control character";
const NO_URL = "is not a valid URL";
const NO_USER = "must not carry a user name or password";
const NO_FRAGMENT = "must not carry a fragment";
const NO_HOST = "has no usable host name";
const padded = (length: number) =>
  `https://example.com/${"a".repeat(length - "https://example.com/".length)}`;

describe("parseTargetUrl takes", () => {
  test.each([
    ["https://example.com", "https://example.com/"],
    ["https://example.com/", "https://example.com/"],
    ["HTTPS://EXAMPLE.COM/Path", "https://example.com/Path"],
    ["https://example.com/v1?q=1&r=a%20b", "https://example.com/v1?q=1&r=a%20b"],
    ["https://example.com/?", "https://example.com/?"],
    ["https://example.com:443/", "https://example.com/"],
    ["https://example.com:0443/", "https://example.com/"],
    ["https://example.com:/", "https://example.com/"],
    ["https://example.com:8443/", "https://example.com:8443/"],
    ["https://example.com:80/", "https://example.com:80/"],
    ["https://example.com:65535/", "https://example.com:65535/"],
    ["https://example.com./", "https://example.com/"],
    ["https://example.com.:8443/x", "https://example.com:8443/x"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["https://BÜCHER.example/ü?ü=ü", "https://xn--bcher-kva.example/%C3%BC?%C3%BC=%C3%BC"],
    ["https://例え。テスト/", "https://xn--r8jz45g.xn--zckzah/"],
    ["https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"],
    ["https://ｅｘａｍｐｌｅ.com/", "https://example.com/"],
    ["https://exam%70le.com/", "https://example.com/"],
    ["https://a_b.example.com/", "https://a_b.example.com/"],
    ["https://localhost:8443/", "https://localhost:8443/"],
    ["https://127.0.0.1/", "https://127.0.0.1/"],
    ["https://0x7f.1/", "https://127.0.0.1/"],
    ["https://2130706433/", "https://127.0.0.1/"],
    ["https://[::1]:8443/", "https://[::1]:8443/"],
    ["https://[::FFFF:10.0.0.1]/", "https://[::ffff:a00:1]/"],
    ["https://example.com/a/../b/./c", "https://example.com/b/c"],
    ["https://example.com//double", "https://example.com//double"],
    ["https://example.com/users/@me", "https://example.com/users/@me"],
    ["https://example.com/?mail=a@b.c", "https://example.com/?mail=a@b.c"],
    ["https://example.com/%23", "https://example.com/%23"],
    ["https://example.com/%00", "https://example.com/%00"],
    ["https://example.com/😀", "https://example.com/%F0%9F%98%80"],
    [padded(MAX_URL_LENGTH), padded(MAX_URL_LENGTH)],
  ])("%s as %s", (text, href) => {
    expect(parseTargetUrl("url", text).href).toBe(href);
  });
});

describe("parseTargetUrl refuses", () => {
  test.each<[unknown, string]>([
    [undefined, "is required"],
    [null, "must be a string"],
    [7, "must be a string"],
    [true, "must be a string"],
    [{}, "must be a string"],
    [["https://example.com"], "must be a string"],
    [new URL("https://example.com"), "must be a string"],
    ["", NO_URL],
    ["example.com", NO_URL],
    ["//example.com", NO_URL],
    ["/v1/scan", NO_URL],
    ["https", NO_URL],
    ["https:", NO_URL],
    ["https://", NO_URL],
    ["https://?x", NO_URL],
    ["https:example.com", NO_URL],
    ["https:/example.com", NO_URL],
    ["https:///example.com", NO_URL],
    ["https:////example.com", NO_URL],
    ["https://exa mple.com", CONTROL],
    ["https://256.1.1.1/", NO_URL],
    ["https://1.2.3.4.5/", NO_URL],
    ["https://[::1/", NO_URL],
    ["https://[fe80::1%25eth0]/", NO_URL],
    ["https://example.com:65536/", NO_URL],
    ["https://example.com:-1/", NO_URL],
    ["https://example.com:port/", NO_URL],
    ["https://example.com:0/", "has no usable port"],
    ["https://a<b.com/", NO_URL],
    ["https://a%00b.com/", NO_URL],
    ["https://a%2fb.com/", NO_URL],
    ["http://example.com/", "must be HTTPS"],
    ["ftp://example.com/", "must be HTTPS"],
    ["file:///etc/passwd", "must be HTTPS"],
    ["javascript:alert(1)", "must be HTTPS"],
    ["data:text/plain,x", "must be HTTPS"],
    ["wss://example.com/", "must be HTTPS"],
    ["httpss://example.com/", "must be HTTPS"],
    ["blob:https://example.com/x", "must be HTTPS"],
    ["https://user@example.com/", NO_USER],
    ["https://user:password@example.com/", NO_USER],
    ["https://:password@example.com/", NO_USER],
    ["https://@example.com/", NO_USER],
    ["https://:@example.com/", NO_USER],
    ["https://example.com@evil.example/", NO_USER],
    ["https://example.com%40evil.example/", NO_URL],
    ["https://example.com/#", NO_FRAGMENT],
    ["https://example.com#", NO_FRAGMENT],
    ["https://example.com/#top", NO_FRAGMENT],
    ["https://example.com/?q#f", NO_FRAGMENT],
    ["https://example.com#@evil.example", NO_FRAGMENT],
    [" https://example.com/", CONTROL],
    ["https://example.com/ ", CONTROL],
    ["https://example.com/a b", CONTROL],
    ["https://example.com/\n", CONTROL],
    ["https://exam\nple.com/", CONTROL],
    ["ht\ttps://example.com/", CONTROL],
    ["https://example.com/\r\nHost: x", CONTROL],
    ["https://example.com/\0", CONTROL],
    ["https://example.com/\u007f", CONTROL],
    ["\u0001https://example.com/", CONTROL],
    ["https:\\\\example.com\\", CONTROL],
    ["https://example.com\\@evil.example/", CONTROL],
    ["https://example.com/\\..", CONTROL],
    ["https://example.com/\ud800", "contains a lone surrogate"],
    ["https://example.com/?\udc00x", "contains a lone surrogate"],
    ["https://./", NO_HOST],
    ["https://example.com../", NO_HOST],
    ["https://a..b/", NO_HOST],
    ["https://.example.com/", NO_HOST],
    ["https://-example.com/", NO_HOST],
    ["https://example-.com/", NO_HOST],
    ["https://*.example.com/", NO_HOST],
    ["https://a!b.com/", NO_HOST],
    [`https://${"a".repeat(64)}.com/`, NO_HOST],
    [`https://${"a.".repeat(130)}com/`, NO_HOST],
    [padded(MAX_URL_LENGTH + 1), "is longer than 2048 characters"],
    [`https://example.com/${"x".repeat(1_000_000)}`, "is longer than 2048 characters"],
    [`https://example.com/${"é".repeat(1000)}`, "is longer than 2048 characters once percent-encoded"],
  ])("%j: %s", (value, reason) => {
    for (const field of ["url", "specUrl"] as const) {
      expect(() => parseTargetUrl(field, value)).toThrow(new ApiError("invalid_url", reason, { field }));
    }
  });

  test("parseTargetUrl refuses with the code invalid_url", () => {
    expect(() => parseTargetUrl("url", "")).toThrow(expect.objectContaining({ code: "invalid_url" }));
  });
});

describe("parseTargetUrl on any value", () => {
  const odd = fc.oneof(
    fc.anything(),
    fc.string({ unit: "binary" }),
    fc.webUrl({ validSchemes: ["https", "http"], withFragments: true, withQueryParameters: true }),
    fc
      .string({ unit: fc.constantFrom(..."ab.:/@#?[]%\\-0x1é\u00ad\u3002") })
      .map((rest) => `https://${rest}`),
  );

  test("gives a plain HTTPS URL that it would take again unchanged, or throws invalid_url", () => {
    fc.assert(
      fc.property(odd, (value) => {
        try {
          const url = parseTargetUrl("url", value);
          expect([url.protocol, url.username, url.password, url.hash]).toEqual(["https:", "", "", ""]);
          expect(url.hostname).not.toMatch(/[A-Z]|\.$|^$/);
          expect(parseTargetUrl("url", url.href).href).toBe(url.href);
        } catch (error) {
          expect(error).toMatchObject({ name: "ApiError", code: "invalid_url" });
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the address of a target of the command line", () => {
  test.each([
    ["http://LOCALHOST:3000", "http://localhost:3000/"],
    ["http://127.0.0.1:80/a?b", "http://127.0.0.1/a?b"],
    ["https://api.example.com", "https://api.example.com/"],
  ])("%s is read as %s", (text, href) => {
    expect(String(readTargetUrl(text, "https or http"))).toBe(href);
  });

  test.each([
    ["ftp://localhost", "must be an https:// or http:// address"],
    ["http:/localhost", "is not a valid URL"],
    ["http://user@localhost", "must not carry a user name or password"],
    ["http://@localhost", "must not carry a user name or password"],
    ["http://localhost/#a", "must not carry a fragment"],
  ])("%s is refused: %s", (text, reason) => {
    expect(readTargetUrl(text, "https or http")).toBe(reason);
  });
});
