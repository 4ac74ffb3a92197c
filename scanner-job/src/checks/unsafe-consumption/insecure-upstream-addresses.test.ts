import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import insecureUpstreamAddresses from "./insecure-upstream-addresses.ts";

const paths = { "/policies": { get: {} } };
const schemes = (tokenUrl: string) => ({
  components: {
    securitySchemes: { sso: { type: "oauth2", flows: { clientCredentials: { tokenUrl, scopes: {} } } } },
  },
});
const policies = (json: unknown) => fakeApi({ "GET /policies": { json } });

testCheck(insecureUpstreamAddresses, {
  positive: [
    {
      name: "a response that names an upstream in a private range",
      document: apiDocument(paths),
      target: policies([{ id: 1, source: "http://10.20.0.31:8080/policies/1" }]),
      finding: { severity: "medium", location: { method: "GET", path: "/policies" } },
      count: 1,
    },
    {
      name: "a document whose token address is plain HTTP",
      document: apiDocument(paths, schemes("http://login.larkfield.test/token")),
      target: policies([]),
    },
    {
      name: "sign-in metadata with keys at plain HTTP",
      target: fakeApi({
        "GET /.well-known/openid-configuration": {
          json: { issuer: "https://a.test", jwks_uri: "http://login.larkfield.test/jwks.json" },
        },
      }),
    },
  ],
  negative: [
    {
      name: "upstreams over HTTPS, and links that are not requested",
      document: apiDocument(paths, schemes("https://login.larkfield.test/token")),
      target: policies([
        {
          source: "https://policies.larkfield.test/1",
          website: "http://shop.test",
          href: "http://127.0.0.1/1",
        },
      ]),
    },
    {
      name: "plain HTTP in documentation and examples alone",
      document: apiDocument(paths, {
        externalDocs: { url: "http://docs.larkfield.test" },
        components: {
          schemas: {
            Hook: {
              properties: { callbackUrl: { type: "string", example: "http://hooks.larkfield.test/1" } },
            },
          },
        },
      }),
      target: policies([{ callbackUrl: "http://hooks.example.com/" }]),
    },
  ],
  inconclusive: [
    {
      name: "a host that returns success for nothing",
      target: fakeApi({ "* *": { status: 401, json: {} } }),
    },
  ],
});
