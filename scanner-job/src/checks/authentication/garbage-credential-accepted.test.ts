import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import garbageCredentialAccepted from "./garbage-credential-accepted.ts";

const document = apiDocument({ "/invoices": { get: {} } }, BEARER);
const keyDocument = apiDocument(
  { "/invoices": { get: {} } },
  {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Api-Key" } } },
  },
);
const invoices = { json: { invoices: [{ id: 1, amount: 40 }] } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };
const needing =
  (header: string): Route =>
  ({ headers }) =>
    headers[header] ? invoices : unauthorized;

testCheck(garbageCredentialAccepted, {
  positive: [
    {
      name: "any bearer token that is accepted",
      document,
      target: fakeApi({ "GET /invoices": needing("authorization") }),
      finding: { severity: "critical", location: { method: "GET", path: "/invoices" } },
      count: 1,
    },
    {
      name: "any API key in the declared header that is accepted",
      document: keyDocument,
      target: fakeApi({ "GET /invoices": needing("x-api-key") }),
    },
    {
      name: "any token after Bearer, where the document declares an API key in Authorization",
      document: apiDocument(
        { "/invoices": { get: {} } },
        {
          security: [{ token: [] }],
          components: { securitySchemes: { token: { type: "apiKey", in: "header", name: "Authorization" } } },
        },
      ),
      target: fakeApi({
        "GET /invoices": ({ headers }) =>
          headers.authorization?.startsWith("Bearer ") ? invoices : unauthorized,
      }),
    },
    {
      name: "any token after the scheme that the description of an API key names",
      document: apiDocument(
        { "/invoices": { get: {} } },
        {
          security: [{ token: [] }],
          components: {
            securitySchemes: {
              token: {
                type: "apiKey",
                in: "header",
                name: "Authorization",
                description: 'Token-based authentication with required prefix "Token"',
              },
            },
          },
        },
      ),
      target: fakeApi({
        "GET /invoices": ({ headers }) =>
          headers.authorization?.startsWith("Token ") ? invoices : unauthorized,
      }),
    },
    {
      name: "any password of the Basic scheme that the challenge names",
      document,
      target: fakeApi({
        "GET /invoices": ({ headers }) =>
          headers.authorization?.startsWith("Basic ")
            ? invoices
            : { ...unauthorized, headers: { "www-authenticate": 'Basic realm="invoices"' } },
      }),
    },
  ],
  negative: [
    {
      name: "credentials that are verified",
      document,
      target: fakeApi({ "GET /invoices": unauthorized }),
    },
    {
      name: "a wrong token that is refused in JSON with status 200",
      document,
      target: fakeApi({
        "GET /invoices": ({ headers }) =>
          headers.authorization ? { json: { error: "invalid token" } } : unauthorized,
      }),
    },
    {
      name: "a page for all who send a header, regardless of what they request",
      document,
      target: fakeApi({
        "* *": ({ headers }) => (headers.authorization ? { json: { page: "app" } } : unauthorized),
      }),
    },
  ],
  inconclusive: [
    {
      name: "an operation that is public, which is another weakness",
      document,
      target: fakeApi({ "GET /invoices": invoices }),
    },
    { name: "a fault", document, target: fakeApi({ "GET /invoices": { status: 500, json: {} } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /invoices": { cut: true } }) },
  ],
});
