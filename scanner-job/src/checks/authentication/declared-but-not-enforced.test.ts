import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import declaredButNotEnforced from "./declared-but-not-enforced.ts";

const data = { orders: [{ id: 1, total: 40 }] };
const document = apiDocument({ "/orders": { get: {} } }, BEARER);
const declaring = (properties: object) =>
  apiDocument(
    {
      "/orders": {
        get: {
          responses: {
            200: {
              description: "ok",
              content: { "application/json": { schema: { type: "object", properties } } },
            },
          },
        },
      },
    },
    BEARER,
  );
const unauthorized = { status: 401, json: { error: "Unauthorized" } };

testCheck(declaredButNotEnforced, {
  positive: [
    {
      name: "a list that the document protects and the server gives to anyone",
      document,
      target: fakeApi({ "GET /orders": { json: data } }),
      finding: { severity: "high", location: { method: "GET", path: "/orders" } },
      count: 1,
    },
    {
      name: "a catalogue for anybody in a document that protects everything, as a low",
      document: apiDocument({ "/products": { get: {} } }, BEARER),
      target: fakeApi({ "GET /products": { json: [{ id: 1, title: "Mug", price: 9 }] } }),
      finding: { severity: "low", confidence: "tentative" },
      count: 1,
    },
    {
      name: "a catalogue that asks for credentials as a list and not as single goods, as a low",
      document: apiDocument(
        { "/products": { get: { security: [{ bearer: [] }] } }, "/products/{id}": { get: {} } },
        { components: BEARER.components },
      ),
      target: fakeApi({ "GET /products": { json: [{ id: 1, title: "Mug", price: 9 }] } }),
      finding: { severity: "low", confidence: "tentative" },
    },
    {
      name: "the same catalogue where it asks for credentials itself",
      document: apiDocument({ "/products": { get: { security: [{ bearer: [] }] } } }, BEARER),
      target: fakeApi({ "GET /products": { json: [{ id: 1, title: "Mug", price: 9 }] } }),
      finding: { severity: "high" },
    },
    {
      name: "the same as critical where patients are concerned",
      document: declaring({ orders: { type: "array", items: { type: "object" } } }),
      context: "medical",
      target: fakeApi({ "GET /orders": { json: data } }),
      finding: { severity: "critical" },
    },
  ],
  negative: [
    { name: "a refusal", document, target: fakeApi({ "GET /orders": unauthorized }) },
    {
      name: "a redirect to the login",
      document,
      target: fakeApi({ "GET /orders": { status: 302, headers: { location: "/login?next=/orders" } } }),
    },
    {
      name: "a login page with status 200",
      document,
      target: fakeApi({
        "GET /orders": {
          headers: { "content-type": "text/html" },
          body: '<form><input type="password" name="p"></form>',
        },
      }),
    },
    {
      name: "a refusal in JSON with status 200",
      document,
      target: fakeApi({ "GET /orders": { json: { code: 401, message: "Unauthorized" } } }),
    },
    {
      name: "a gateway that refuses every path",
      document,
      target: fakeApi({ "* *": unauthorized }),
    },
  ],
  inconclusive: [
    {
      name: "a single-page app that returns the same response for every path",
      document,
      target: fakeApi({ "* *": { json: { page: "app", theme: "dark" } } }),
    },
    {
      name: "a response that holds nothing",
      document,
      target: fakeApi({ "GET /orders": { json: { orders: [] } } }),
    },
    {
      name: "a response without any declared field",
      document: declaring({ orders: { type: "array", items: { type: "object" } } }),
      target: fakeApi({ "GET /orders": { json: { message: "Welcome to our API" } } }),
    },
    { name: "a fault", document, target: fakeApi({ "GET /orders": { status: 503, json: {} } }) },
    {
      name: "a document that calls the operation public, or lets it go without credentials",
      document: apiDocument(
        { "/a": { get: { security: [] } }, "/b": { get: { security: [{}, { bearer: [] }] } } },
        BEARER,
      ),
      target: fakeApi({ "* *": { json: data } }),
    },
    {
      name: "a way to sign in and a sign of life, which a careless document protects",
      document: apiDocument({ "/health": { get: {} }, "/login": { get: {} } }, BEARER),
      target: fakeApi({ "GET /health": { json: { up: "yes" } }, "GET /login": { json: { csrf: "a" } } }),
    },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /orders": { cut: true } }) },
  ],
});
