import type { RequestListener } from "node:http";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import rewriteHeaderBypass from "./rewrite-header-bypass.ts";

const document = apiDocument({ "/admin/audit": { get: {} } }, BEARER);
const audit = { json: { audit: [{ actor: "root", action: "export" }] } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };
const notFound = { status: 404, json: { error: "Not found" } };
const start = { json: { name: "Test API" } };

/** A proxy that guards the path as it was written, before a server that normalises it. */
const normalising: RequestListener = (request, response) => {
  const path = new URL((request.url ?? "/").replace(/^\/+/, "/"), "http://target.test").pathname;
  const status = request.url?.startsWith("/admin") ? 401 : path === "/admin/audit" ? 200 : 404;
  const body = status === 200 ? audit.json : { error: String(status) };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};

testCheck(rewriteHeaderBypass, {
  positive: [
    {
      name: "a server that believes X-Original-URL behind a guard that does not",
      document,
      target: fakeApi({
        "GET /admin/audit": unauthorized,
        "GET *": ({ headers, path }) =>
          headers["x-original-url"] === "/admin/audit" ? audit : path === "/" ? start : notFound,
      }),
      finding: { severity: "high", location: { method: "GET", path: "/admin/audit" } },
      count: 1,
    },
    {
      name: "a guard that trusts the client address in a header",
      document,
      context: "medical",
      target: fakeApi({
        "GET /admin/audit": ({ headers }) =>
          headers["x-forwarded-for"] === "127.0.0.1" ? audit : unauthorized,
      }),
      finding: { severity: "critical" },
    },
    { name: "a guard that compares paths before they are normalised", document, target: normalising },
  ],
  negative: [
    {
      name: "a guard that heeds none of it",
      document,
      target: fakeApi({ "GET /admin/audit": unauthorized, "GET /": start }),
    },
    {
      name: "a start page that is the same regardless of the headers",
      document,
      target: fakeApi({ "GET /admin/audit": unauthorized, "GET *": start }),
    },
    {
      name: "a router that returns the same data for any header and path",
      document,
      target: fakeApi({
        "GET /admin/audit": unauthorized,
        "GET *": ({ headers, path }) =>
          headers["x-original-url"] ? { json: { found: "you" } } : path === "/" ? start : notFound,
      }),
    },
    {
      name: "odd spellings that end in an error with status 200",
      document,
      target: fakeApi({
        "GET /admin/audit": unauthorized,
        "GET /": start,
        "GET *": { json: { error: "No such page" } },
      }),
    },
    { name: "a gateway that refuses everything", document, target: fakeApi({ "* *": unauthorized }) },
  ],
  inconclusive: [
    {
      name: "an operation that is open, which is another weakness",
      document,
      target: fakeApi({ "GET /admin/audit": audit }),
    },
    { name: "a fault", document, target: fakeApi({ "GET /admin/audit": { status: 502, body: "" } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /admin/audit": { cut: true } }) },
  ],
});
