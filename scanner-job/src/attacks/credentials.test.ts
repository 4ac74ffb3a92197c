import { describe, expect, it } from "vitest";
import type { SecurityScheme } from "../inventory/api-document.ts";
import { aResponse } from "../testing/samples.ts";
import { carriersOf, challengedCarriers, presenting } from "./credentials.ts";

const request = { method: "GET", url: "http://api.test/users?page=1", headers: { accept: "*/*" } };
const scheme = (parts: Partial<SecurityScheme>): SecurityScheme => ({
  name: "s",
  type: "http",
  urls: [],
  flows: [],
  ...parts,
});

/** Headers, and the query where it has more than before, of the requests that present `abc` as the schemes declare it. */
const presented = (...schemes: SecurityScheme[]) =>
  carriersOf(schemes).map((carrier) => {
    const { headers, url } = presenting(request, carrier, "abc");
    const { accept: _, ...added } = headers ?? {};
    return url === request.url ? added : url;
  });

describe("a secret", () => {
  it.each<[string, SecurityScheme, object[] | string[]]>([
    ["after Bearer for a bearer scheme", scheme({ scheme: "Bearer" }), [{ authorization: "Bearer abc" }]],
    ["after Bearer for OAuth", scheme({ type: "oauth2" }), [{ authorization: "Bearer abc" }]],
    [
      "as name and password for Basic",
      scheme({ scheme: "basic" }),
      [{ authorization: "Basic YWJjOmFiYw==" }],
    ],
    ["after the name of another scheme", scheme({ scheme: "ApiKey" }), [{ authorization: "ApiKey abc" }]],
    [
      "in the header of an API key",
      scheme({ type: "apiKey", in: "header", parameterName: "X-Key" }),
      [{ "x-key": "abc" }],
    ],
    [
      "in the cookie of an API key",
      scheme({ type: "apiKey", in: "cookie", parameterName: "sid" }),
      [{ cookie: "sid=abc" }],
    ],
    [
      "in the query of an API key, beside what is there",
      scheme({ type: "apiKey", in: "query", parameterName: "key" }),
      ["http://api.test/users?page=1&key=abc"],
    ],
    [
      "after Bearer and bare for an API key in Authorization",
      scheme({ type: "apiKey", in: "header", parameterName: "Authorization" }),
      [{ authorization: "Bearer abc" }, { authorization: "abc" }],
    ],
    [
      "after the schemes that the description names, then after Bearer and bare",
      scheme({
        type: "apiKey",
        in: "header",
        parameterName: "Authorization",
        authenticationSchemes: ["Token"],
      }),
      [{ authorization: "Token abc" }, { authorization: "Bearer abc" }, { authorization: "abc" }],
    ],
  ])("a secret is presented %s", (_, each, expected) => {
    expect(presented(each)).toEqual(expected);
  });

  it("a secret is presented by no scheme whose credential is computed", () => {
    expect(
      presented(scheme({ type: "mutualTLS" }), scheme({ scheme: "digest" }), scheme({ scheme: "basic" })),
    ).toEqual([{ authorization: "Basic YWJjOmFiYw==" }]);
  });

  it("a secret is presented as a bearer token once, however many schemes ask for one", () => {
    const key = scheme({ type: "apiKey", in: "header", parameterName: "authorization" });
    expect(presented(scheme({ type: "oauth2" }), scheme({ scheme: "bearer" }), key)).toEqual([
      { authorization: "Bearer abc" },
      { authorization: "abc" },
    ]);
  });

  it("a secret is presented after Bearer and bare where nothing is declared", () => {
    expect(presented()).toEqual([{ authorization: "Bearer abc" }, { authorization: "abc" }]);
  });
});

it.each<[string, string | undefined, string[]]>([
  ["one scheme", 'Bearer realm="api", error="invalid_token"', ["Bearer"]],
  ["several schemes", 'Token realm="a, b", Basic realm="c", charset="UTF-8"', ["Token", "Basic"]],
  ["a scheme without parameters", "ApiKey", ["ApiKey"]],
  ["none whose credential is computed", "Negotiate, Digest realm=x", []],
  ["none without the header", undefined, []],
])("the challenge of a refusal names %s", (_, challenge, schemes) => {
  const response = aResponse({
    status: 401,
    headers: challenge === undefined ? {} : { "www-authenticate": challenge },
  });
  expect(challengedCarriers(response).map((carrier) => carrier.scheme)).toEqual(schemes);
});
