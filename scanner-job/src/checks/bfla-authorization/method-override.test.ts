import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Incoming, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import methodOverride from "./method-override.ts";

const document = apiDocument({ "/invoices/{id}": { get: {} } });
const unauthorized = { status: 401, json: { error: "Unauthorized" } };
const notFound = { status: 404, json: { error: "Not found" } };
const unknown = { status: 404, json: { message: "Invoice does not exist" } };
const ownMethods: Record<string, Route> = {
  "DELETE /invoices/{id}": unknown,
  "OPTIONS /invoices/{id}": { status: 204, headers: { allow: "GET, OPTIONS" } },
};
const obeying =
  (read: Route, overriding: (incoming: Incoming) => unknown): Route =>
  (incoming) => {
    const route = ownMethods[`${String(overriding(incoming))} /invoices/{id}`] ?? read;
    return typeof route === "function" ? route(incoming) : route;
  };

testCheck(methodOverride, {
  positive: [
    {
      name: "a header that changes a refused GET to a DELETE",
      document,
      target: fakeApi({
        ...ownMethods,
        "GET /invoices/{id}": obeying(unauthorized, ({ headers }) => headers["x-http-method-override"]),
      }),
      finding: { severity: "high", location: { method: "GET", path: "/invoices/{id}" } },
      count: 1,
    },
    {
      name: "a parameter that changes a GET to OPTIONS",
      document,
      target: fakeApi({
        ...ownMethods,
        "DELETE /invoices/{id}": notFound,
        "GET /invoices/{id}": obeying(notFound, ({ query }) =>
          query.get("_method") === "OPTIONS" ? "OPTIONS" : undefined,
        ),
      }),
      finding: { severity: "medium" },
    },
    {
      name: "HEAD in the header, where DELETE and OPTIONS get the same response as GET",
      document,
      target: fakeApi({
        "* *": ({ headers }) =>
          headers["x-http-method-override"] === "HEAD"
            ? { status: 404, headers: { "content-type": "application/json" }, body: "" }
            : { status: 404, json: { error: "There is no such invoice" } },
      }),
      finding: { severity: "medium" },
    },
  ],
  negative: [
    {
      name: "a server that heeds none of them",
      document,
      target: fakeApi({ ...ownMethods, "GET /invoices/{id}": notFound }),
    },
    {
      name: "a server that refuses requests with such a header",
      document,
      target: fakeApi({
        ...ownMethods,
        "GET /invoices/{id}": ({ headers }) =>
          headers["x-http-method-override"] ? { status: 400, json: { error: "No override" } } : notFound,
      }),
    },
    {
      name: "a gateway that refuses every method in the same way",
      document,
      target: fakeApi({ "* *": unauthorized }),
    },
  ],
  inconclusive: [
    {
      name: "a gateway that refuses every method in the same way, without a body",
      document,
      target: fakeApi({ "* *": { status: 401, body: "" } }),
    },
    { name: "a fault", document, target: fakeApi({ "GET /invoices/{id}": { status: 500, body: "" } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /invoices/{id}": { cut: true } }) },
  ],
});
