import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import guessableOperation from "./guessable-operation.ts";

const document = apiDocument({ "/api/v1/orders": { get: {} }, "/api/v1/users/{id}": { get: {} } });
const known = { "GET /api/v1/orders": { json: [{ id: 1 }] }, "GET /api/v1/users/{id}": { json: { id: 1 } } };

testCheck(guessableOperation, {
  positive: [
    {
      name: "the collection of objects that are documented one by one",
      document,
      target: fakeApi({ "GET /api/v1/users": { json: [{ id: 1 }] }, ...known }),
      finding: { severity: "low", location: { method: "GET", path: "/api/v1/users" } },
      count: 1,
    },
    {
      name: "a route of administrators that is refused",
      document,
      target: fakeApi({ "GET /api/v1/admin": { status: 401, json: { error: "Unauthorized" } }, ...known }),
      finding: { location: { method: "GET", path: "/api/v1/admin" } },
    },
    {
      name: "a resource of a version, for callers within",
      document,
      target: fakeApi({ "GET /api/internal/orders": { json: [{ id: 1, margin: 7 }] }, ...known }),
      finding: { location: { method: "GET", path: "/api/internal/orders" } },
    },
    {
      name: "a route that takes another method",
      document,
      target: fakeApi({
        "GET /api/v1/internal": { status: 405, headers: { allow: "POST" }, json: {} },
        ...known,
      }),
      finding: { location: { method: "POST", path: "/api/v1/internal" } },
    },
    {
      name: "a log-in in the version before the documented one",
      document: apiDocument({ "/api/v2/login": { post: {} } }),
      target: fakeApi({
        "POST /api/v2/login": { status: 400, json: { error: "Bad body" } },
        "POST /api/v1/login": { status: 400, json: { error: "Bad body" } },
      }),
      finding: { location: { method: "POST", path: "/api/v1/login" } },
      count: 1,
    },
    {
      name: "one that OPTIONS allows where every body is parsed first",
      document: apiDocument({ "/api/v2/orders": { post: {} } }),
      target: fakeApi({
        "OPTIONS /api/v1/orders": { status: 204, headers: { allow: "POST" } },
        "POST *": { status: 400, json: { error: "Unexpected end of JSON" } },
      }),
      finding: { location: { method: "POST", path: "/api/v1/orders" } },
    },
  ],
  negative: [
    {
      name: "versions of a write that no longer exist, where every body is parsed first",
      document: apiDocument({ "/api/v2/orders": { post: {} } }),
      target: fakeApi({ "POST *": { status: 400, json: { error: "Unexpected end of JSON" } } }),
    },
    { name: "an API with nothing beside its document", document, target: fakeApi(known) },
    {
      name: "signs of life",
      document,
      target: fakeApi({ ...known, "GET /api/v1/ping": { json: { pong: true } } }),
    },
  ],
  inconclusive: [
    { name: "a target without a document", target: fakeApi({ "GET /api/v1/admin": { json: { a: 1 } } }) },
    {
      name: "a host that refuses every unknown path",
      document,
      target: fakeApi({
        ...known,
        "GET /": { json: {} },
        "* *": { status: 401, json: { error: "Unauthorized" } },
      }),
    },
    {
      name: "a host that responds to every path",
      document,
      target: fakeApi({ "* *": { json: { ok: true } } }),
    },
  ],
});
