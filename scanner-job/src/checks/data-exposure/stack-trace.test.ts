import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import stackTrace from "./stack-trace.ts";

const trace =
  "TypeError: no number\n    at find (/srv/app/rooms.js:10:5)\n    at next (/srv/app/main.js:3:1)";
const document = apiDocument({
  "/rooms/{id}": { get: {} },
  "/search": { get: { parameters: [{ name: "page", in: "query", schema: { type: "integer" } }] } },
});
const routes = { "GET /": { json: {} }, "GET /rooms/{id}": { json: { id: 1 } }, "GET /search": { json: [] } };

testCheck(stackTrace, {
  positive: [
    {
      name: "a trace for letters instead of a number",
      document,
      target: fakeApi({
        ...routes,
        "GET /rooms/{id}": ({ params }) =>
          /^\d+$/.test(params["id"]!)
            ? { json: { id: 1 } }
            : { status: 500, json: { error: "failed", stack: trace } },
      }),
      finding: { severity: "medium", location: { method: "GET", path: "/rooms/{id}" } },
      count: 1,
    },
    {
      name: "a trace for a structure instead of a value",
      document,
      target: fakeApi({
        ...routes,
        "GET /search": ({ query }) =>
          [...query.keys()].some((name) => name.includes("[")) ? { status: 500, body: trace } : { json: [] },
      }),
      finding: { location: { method: "GET", path: "/search" } },
      count: 1,
    },
    {
      name: "a trace for a request that another test sent, or a baseline request",
      document,
      target: fakeApi({ ...routes, "GET /rooms/{id}": { status: 500, json: { stack: trace } } }),
      finding: { location: { method: "GET", path: "/rooms/{id}" } },
      count: 1,
    },
    {
      name: "a trace in the errors of a response with status 200",
      document: apiDocument({ "/query": { get: {} } }),
      target: fakeApi({
        "GET /": { json: {} },
        "GET /query": { json: { errors: [{ message: "no", extensions: { stack: trace } }] } },
      }),
      count: 1,
    },
  ],
  negative: [
    {
      name: "errors without a trace",
      document,
      target: fakeApi({
        ...routes,
        "GET /rooms/{id}": { status: 500, json: { error: "Internal Server Error", id: "7f3" } },
      }),
    },
    {
      name: "an error of a script of the page",
      document,
      target: fakeApi({
        ...routes,
        "GET /rooms/{id}": {
          status: 422,
          json: { reported: "TypeError: x\n    at e (/static/js/app.js:12:3)\n    at /main.3f9a1c2b.js:1:9" },
        },
      }),
    },
    {
      name: "a page about traces that is always there",
      document: apiDocument({ "/help": { get: {} } }),
      target: fakeApi({ "GET /": { json: {} }, "GET /help": { body: trace } }),
    },
  ],
  inconclusive: [
    {
      name: "a baseline response with a trace in it",
      document: apiDocument({}),
      target: fakeApi({ "* *": { body: trace } }),
    },
  ],
});
