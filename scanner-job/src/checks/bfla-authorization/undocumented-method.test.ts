import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import undocumentedMethod from "./undocumented-method.ts";

const document = apiDocument({ "/invoices/{id}": { get: {} } });
const allow = {
  "OPTIONS /invoices/{id}": { status: 204, headers: { allow: "GET, DELETE, PATCH, OPTIONS" } },
};
const notAllowed = { status: 405, json: { error: "Method not allowed" } };
const read: Record<string, Route> = { "GET /invoices/{id}": { status: 404, json: { error: "Not found" } } };

testCheck(undocumentedMethod, {
  positive: [
    {
      name: "a change that judges its body",
      document,
      target: fakeApi({
        ...allow,
        ...read,
        "PATCH /invoices/{id}": { status: 400, json: { error: "amount is required" } },
        "* /invoices/{id}": notAllowed,
      }),
      finding: { severity: "medium", location: { method: "PATCH", path: "/invoices/{id}" } },
      count: 1,
    },
    {
      name: "a deletion that loads the object first, where other methods are not allowed",
      document,
      target: fakeApi({
        ...allow,
        ...read,
        "DELETE /invoices/{id}": ({ params }) => ({
          status: 404,
          json: { message: `Invoice ${params["id"]} is unknown` },
        }),
        "* /invoices/{id}": notAllowed,
      }),
      finding: { confidence: "tentative", location: { method: "DELETE", path: "/invoices/{id}" } },
    },
  ],
  negative: [
    {
      name: "methods that are offered and then refused",
      document,
      target: fakeApi({
        ...allow,
        ...read,
        "* /invoices/{id}": { status: 401, json: { error: "Unauthorized" } },
      }),
    },
    {
      name: "a general response to OPTIONS before methods that do not exist",
      document,
      target: fakeApi({ ...allow, ...read, "* /invoices/{id}": notAllowed }),
    },
    {
      name: "a router that returns 400 for everything that it does not know",
      document,
      target: fakeApi({
        ...allow,
        ...read,
        "* /invoices/{id}": { status: 400, json: { error: "Bad request" } },
      }),
    },
    {
      name: "methods that are documented",
      document: apiDocument({ "/invoices/{id}": { get: {}, delete: {}, patch: {} } }),
      target: fakeApi({
        ...allow,
        "* /invoices/{id}": { status: 400, json: { error: "amount is required" } },
      }),
    },
  ],
  inconclusive: [
    {
      name: "a fault",
      document,
      target: fakeApi({ "OPTIONS /invoices/{id}": { status: 500, body: "" } }),
    },
    {
      name: "a connection that is cut",
      document,
      target: fakeApi({ "OPTIONS /invoices/{id}": { cut: true } }),
    },
  ],
});
