import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import destructiveWithoutSecurity from "./destructive-without-security.ts";

const open = { get: { security: [] } };
/** Paths beside one that asks for credentials. */
const mixed = (paths: Record<string, object>): object =>
  apiDocument(
    { "/account": { delete: { security: [{ bearer: [] }] } }, ...paths },
    { components: BEARER.components },
  );
const target = fakeApi({ "GET /": { json: { ok: true } } });

testCheck(destructiveWithoutSecurity, {
  positive: [
    {
      name: "a reset of the database that is declared for everybody",
      document: apiDocument({ "/users": { get: {} }, "/createdb": open }, BEARER),
      target,
      finding: { confidence: "tentative", location: { method: "GET", path: "/createdb" } },
      count: 1,
    },
    {
      name: "a deletion that alone declares nothing",
      document: apiDocument(
        {
          "/users/{id}": { get: { security: [{ bearer: [] }] }, delete: {} },
        },
        { components: BEARER.components },
      ),
      target,
      finding: { location: { method: "DELETE", path: "/users/{id}" } },
    },
    {
      name: "a deletion of a list where every path allows the same methods",
      document: mixed({ "/users": { delete: {} } }),
      target: fakeApi({
        "GET /": { json: {} },
        "OPTIONS *": { status: 204, headers: { allow: "GET, POST" } },
      }),
      count: 1,
    },
    {
      name: "a read that alone is named a deletion",
      document: mixed({ "/cleanup": { get: { operationId: "deleteAllNotes" } } }),
      target,
      count: 1,
    },
  ],
  negative: [
    {
      name: "a deletion whose method the server does not know",
      document: mixed({ "/users/{id}": { delete: {} } }),
      target: fakeApi({ "GET /": { json: {} }, "DELETE /users/{id}": { status: 405, json: {} } }),
    },
    {
      name: "a deletion whose method the server does not know, which it says with status 200",
      document: mixed({ "/users/{id}": { delete: {} } }),
      target: fakeApi({
        "GET /": { json: {} },
        "DELETE /users/{id}": { status: 200, json: { error: "Method not allowed" } },
      }),
    },
    {
      name: "a deletion that the server refuses to anybody",
      document: mixed({ "/users/{id}": { delete: {} } }),
      target: fakeApi({ "GET /": { json: {} }, "DELETE /users/{id}": { status: 401, json: {} } }),
    },
    {
      name: "a deletion of a list that OPTIONS does not allow",
      document: mixed({ "/users": { delete: {} } }),
      target: fakeApi({
        "GET /": { json: {} },
        "OPTIONS /users": { status: 204, headers: { allow: "GET, HEAD, POST" } },
      }),
    },
    {
      name: "a read that has the operationId of a DELETE",
      document: mixed({
        "/proxy": {
          get: { operationId: "proxy_proxy_delete" },
          delete: { operationId: "proxy_proxy_delete", security: [{ bearer: [] }] },
        },
        "/notes": { get: { operationId: "deleteNote" }, delete: { security: [{ bearer: [] }] } },
      }),
      target,
    },
    {
      name: "a deletion with security",
      document: apiDocument({ "/users/{id}": { delete: {} }, "/logout": open }, BEARER),
      target,
    },
  ],
  inconclusive: [
    {
      name: "a document that leaves out the security of reads as well",
      document: apiDocument(
        { "/account": { get: { security: [{ bearer: [] }] } }, "/comments": { get: {}, delete: {} } },
        { components: BEARER.components },
      ),
      target: fakeApi({ "GET /": { json: {} }, "GET /comments": { status: 403, json: { error: "No" } } }),
    },
    {
      name: "a document that declares security for nothing",
      document: apiDocument({ "/users/{id}": { get: {}, delete: {} } }),
      target,
    },
  ],
});
