import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import anonymousAdminOperation from "./anonymous-admin-operation.ts";

const document = apiDocument({ "/admin/users": { get: {} }, "/orders": { get: {} } }, BEARER);
const users = { json: { users: [{ id: "a", email: "root@larkfield.test" }] } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };

testCheck(anonymousAdminOperation, {
  positive: [
    {
      name: "a list of accounts that is given to anyone",
      document,
      target: fakeApi({ "GET /admin/users": users, "GET /orders": unauthorized }),
      finding: { severity: "high", location: { method: "GET", path: "/admin/users" } },
      count: 1,
    },
    {
      name: "an operation that only its summary calls an administrator's",
      document: apiDocument({ "/report": { get: { summary: "Revenue by month (admin only)" } } }),
      context: "financial",
      target: fakeApi({ "GET /report": { json: [{ month: "May", revenue: 12 }] } }),
      finding: { severity: "critical" },
    },
  ],
  negative: [
    {
      name: "an operation that only shows a version",
      document,
      target: fakeApi({ "GET /admin/users": { json: { name: "shop", version: "2.4.1", status: "ok" } } }),
    },
    { name: "a refusal", document, target: fakeApi({ "GET /admin/users": unauthorized }) },
    { name: "a gateway that refuses everything", document, target: fakeApi({ "* *": unauthorized }) },
    {
      name: "a redirect to the login",
      document,
      target: fakeApi({ "GET /admin/users": { status: 302, headers: { location: "/sign-in" } } }),
    },
  ],
  inconclusive: [
    {
      name: "an app that returns the same response for every path",
      document,
      target: fakeApi({ "* *": { json: { app: "shell" } } }),
    },
    {
      name: "an envelope that every operation returns",
      document,
      target: fakeApi({
        "GET /admin/users": { json: { hello: "api" } },
        "GET /orders": { json: { hello: "api" } },
      }),
    },
    { name: "an operation that is not found", document, target: fakeApi({}) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /admin/users": { cut: true } }) },
    {
      name: "an API without administration, or with a public one",
      document: apiDocument({ "/orders": { get: {} }, "/internal/terms": { get: { security: [] } } }),
      target: fakeApi({ "* *": users }),
    },
  ],
});
