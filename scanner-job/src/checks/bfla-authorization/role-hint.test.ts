import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type Incoming } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import roleHint from "./role-hint.ts";

const document = apiDocument({ "/settings": { get: {} } }, BEARER);
const settings = { json: { currency: "GBP", smtpHost: "mail.larkfield.test" } };
const forbidden = { status: 403, json: { error: "Forbidden" } };
const letting = (enters: (incoming: Incoming) => unknown) =>
  fakeApi({ "GET /settings": (incoming) => (enters(incoming) ? settings : forbidden) });

testCheck(roleHint, {
  positive: [
    {
      name: "a role that is taken from a header",
      document,
      target: letting(({ headers }) => headers["x-role"] === "admin"),
      finding: { severity: "critical", location: { method: "GET", path: "/settings" } },
      count: 1,
    },
    { name: "a role in the query", document, target: letting(({ query }) => query.get("admin") === "true") },
    {
      name: "a role in a cookie",
      document,
      target: letting(({ headers }) => headers.cookie?.includes("role=admin")),
    },
  ],
  negative: [
    { name: "a refusal regardless of what is claimed", document, target: letting(() => false) },
    {
      name: "a server that lets in any query, which proves no role",
      document,
      target: letting(({ query }) => query.size > 0),
    },
    {
      name: "a page for administrators wherever they go",
      document,
      target: fakeApi({
        "GET *": ({ headers }) => (headers["x-role"] === "admin" ? { json: { hello: "admin" } } : forbidden),
      }),
    },
  ],
  inconclusive: [
    { name: "an operation that is open, which is another weakness", document, target: letting(() => true) },
    { name: "a fault", document, target: fakeApi({ "GET /settings": { status: 500, json: {} } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /settings": { cut: true } }) },
  ],
});
