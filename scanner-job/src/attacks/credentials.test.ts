import { describe, expect, it } from "vitest";
import type { SecurityScheme } from "../inventory/api-document.ts";
import { presentableSchemes, presenting } from "./credentials.ts";

const request = { method: "GET", url: "http://api.test/users?page=1", headers: { accept: "*/*" } };
const scheme = (parts: Partial<SecurityScheme>): SecurityScheme => ({
  name: "s",
  type: "http",
  urls: [],
  flows: [],
  ...parts,
});

describe("presenting a secret", () => {
  it.each([
    ["a bearer scheme in Authorization", scheme({ scheme: "Bearer" }), { authorization: "Bearer abc" }],
    ["an OAuth scheme as a bearer token", scheme({ type: "oauth2" }), { authorization: "Bearer abc" }],
    ["Basic as name and password", scheme({ scheme: "basic" }), { authorization: "Basic YWJjOmFiYw==" }],
    [
      "an API key in its header",
      scheme({ type: "apiKey", in: "header", parameterName: "X-Key" }),
      { "x-key": "abc" },
    ],
    [
      "an API key in its cookie",
      scheme({ type: "apiKey", in: "cookie", parameterName: "sid" }),
      { cookie: "sid=abc" },
    ],
  ])("puts %s", (_, each, headers) => {
    expect(presenting(request, each, "abc")).toEqual({ ...request, headers: { accept: "*/*", ...headers } });
  });

  it("puts an API key that belongs in the query there, beside what is already in it", () => {
    const key = scheme({ type: "apiKey", in: "query", parameterName: "key" });
    expect(presenting(request, key, "abc").url).toBe("http://api.test/users?page=1&key=abc");
  });
});

describe("schemes that a secret can be presented in", () => {
  it("are those declared, without certificates and the like", () => {
    const basic = scheme({ scheme: "basic" });
    expect(presentableSchemes([scheme({ type: "mutualTLS" }), basic])).toEqual([basic]);
  });

  it("name the bearer token once, however many schemes ask for one", () => {
    const bearer = scheme({ scheme: "bearer" });
    expect(presentableSchemes([scheme({ type: "oauth2" }), bearer])).toHaveLength(1);
  });

  it("are a bearer token where nothing is declared", () => {
    expect(presentableSchemes()).toMatchObject([{ scheme: "bearer" }]);
  });
});
