import { describe, expect, it } from "vitest";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { adminOnly, callerIn, ROOT, ROOT_AND_ANN, signedIn } from "../../testing/callers.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import adminWriteAsUser, { gravityOf } from "./admin-write-as-user.ts";

const identities = ROOT_AND_ANN;
const schema = { type: "object", required: ["name"], properties: { name: { type: "string" } } };
const body = { requestBody: { required: true, content: { "application/json": { schema } } } };
const document = apiDocument(
  { "/admin/branches/{id}": { patch: body, delete: {} }, "/admin/log": { get: {} } },
  BEARER,
);
const unknown: Route = ({ params }) => ({
  status: 404,
  json: { message: `Branch ${params["id"]} is unknown` },
});
const unfit = { status: 422, json: { message: "name is required" } };
const log = adminOnly({ json: [{ line: "Mara removed a book" }] });
const patchAndPut = apiDocument({ "/branches/{id}": { patch: body, put: body } }, BEARER);

testCheck(adminWriteAsUser, {
  positive: [
    {
      name: "a deletion that looks its object up for the user, where the change refuses the user",
      document,
      identities,
      target: fakeApi({
        "GET /admin/log": log,
        "DELETE /admin/branches/{id}": signedIn(unknown),
        "PATCH /admin/branches/{id}": adminOnly(unfit),
      }),
      finding: {
        severity: "high",
        confidence: "firm",
        location: { method: "DELETE", path: "/admin/branches/{id}" },
      },
      count: 1,
    },
    {
      name: "a deletion that looks its object up, where only a read refuses the user, with less confidence",
      document: apiDocument({ "/admin/branches/{id}": { delete: {} }, "/admin/log": { get: {} } }, BEARER),
      identities,
      target: fakeApi({ "GET /admin/log": log, "DELETE /admin/branches/{id}": signedIn(unknown) }),
      finding: { severity: "medium", confidence: "tentative" },
    },
    {
      name: "a change of accounts that validates what the user sends, as critical",
      document: apiDocument({ "/admin/users/{id}": { patch: body }, "/admin/log": { get: {} } }, BEARER),
      identities,
      target: fakeApi({ "GET /admin/log": log, "PATCH /admin/users/{id}": signedIn(unfit) }),
      finding: { severity: "critical", confidence: "firm" },
    },
    {
      name: "a change of a part of an object",
      document: apiDocument(
        { "/admin/users/{id}/role": { put: body }, "/admin/users/{id}": { delete: {} } },
        BEARER,
      ),
      identities,
      target: fakeApi({
        "PUT /admin/users/{id}/role": signedIn(unknown),
        "DELETE /admin/users/{id}": adminOnly(unknown),
      }),
      finding: { severity: "critical", location: { method: "PUT", path: "/admin/users/{id}/role" } },
      count: 1,
    },
    {
      name: "a creation whose fields are validated for the user, where the list refuses the user",
      document: apiDocument({ "/admin/vouchers": { get: {}, post: body } }, BEARER),
      identities,
      target: fakeApi({
        "GET /admin/vouchers": adminOnly({ json: [{ name: "May" }] }),
        "POST /admin/vouchers": signedIn(unfit),
      }),
      finding: {
        severity: "high",
        confidence: "firm",
        location: { method: "POST", path: "/admin/vouchers" },
      },
      count: 1,
    },
    {
      name: "PATCH that is open where PUT refuses the user",
      document: patchAndPut,
      identities,
      target: fakeApi({
        "PATCH /branches/{id}": signedIn(unknown),
        "PUT /branches/{id}": adminOnly(unknown),
      }),
      finding: { location: { method: "PATCH", path: "/branches/{id}" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "writes that refuse the user",
      document,
      identities,
      target: fakeApi({ "GET /admin/log": log, "* /admin/branches/{id}": adminOnly(unknown) }),
    },
  ],
  inconclusive: [
    {
      name: "an API that looks up its object first, for all writes",
      document: apiDocument({ "/admin/branches/{id}": { patch: body, delete: {} } }, BEARER),
      identities,
      target: fakeApi({ "* /admin/branches/{id}": signedIn(unknown) }),
    },
    {
      name: "writes by which users change their own objects",
      document: patchAndPut,
      identities,
      target: fakeApi({ "* /branches/{id}": signedIn(unknown) }),
    },
    {
      name: "a refusal that looks like an absent object",
      document,
      identities,
      target: fakeApi({
        "GET /admin/log": log,
        "* /admin/branches/{id}": signedIn((incoming) =>
          callerIn(incoming) === "root" ? unfit : { status: 404, json: { message: "Nothing for you" } },
        ),
      }),
    },
    {
      name: "writes that refuse nobody, which other checks report",
      document,
      identities,
      target: fakeApi({ "GET /admin/log": log, "* /admin/branches/{id}": unknown }),
    },
    {
      name: "a scan without a plain user",
      document,
      identities: [ROOT],
      target: fakeApi({ "GET /admin/log": log, "* /admin/branches/{id}": signedIn(unknown) }),
    },
  ],
});

describe("the weight of a write that the user reached", () => {
  it.each([
    ["handler", 422, "nothing", { severity: "medium", confidence: "tentative" }],
    ["handler", 422, "read", {}],
    ["weakly", 404, "write", {}],
    ["weakly", 404, "read", { severity: "medium", confidence: "tentative" }],
    ["weakly", 404, "nothing", undefined],
    ["handler", 400, "nothing", undefined],
    ["handler", 400, "write", {}],
  ] as const)("by %s %i beside a refused %s is %j", (reach, status, refused, weight) => {
    expect(gravityOf({ reach, status, refused })).toEqual(weight);
  });
});
