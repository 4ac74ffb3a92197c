import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { adminOnly, callerIn, ROOT, ROOT_AND_ANN, signedIn } from "../../testing/callers.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import roleCheckBypass from "./role-check-bypass.ts";

const document = apiDocument({ "/v2/admin/audit": { get: {} } }, BEARER);
const identities = ROOT_AND_ANN;
const audit = { json: { entries: [{ by: "mara", what: "removed a book" }] } };
const guarded = { "GET /v2/admin/audit": adminOnly(audit) };

testCheck(roleCheckBypass, {
  positive: [
    {
      name: "an older version without the role check",
      document,
      identities,
      target: fakeApi({ ...guarded, "GET /v1/admin/audit": signedIn(audit) }),
      finding: { severity: "high", location: { method: "GET", path: "/v1/admin/audit" } },
      count: 1,
    },
    {
      name: "a newer version without the role check",
      document,
      identities,
      target: fakeApi({ ...guarded, "GET /v3/admin/audit": signedIn(audit) }),
      finding: { location: { method: "GET", path: "/v3/admin/audit" } },
    },
    {
      name: "the same operation below another name of the area",
      document,
      identities,
      target: fakeApi({ ...guarded, "GET /v2/internal/audit": signedIn(audit) }),
      finding: { location: { method: "GET", path: "/v2/internal/audit" } },
    },
    {
      name: "a slash after the path",
      document,
      identities,
      target: fakeApi({ ...guarded, "GET /v2/admin/audit/": signedIn(audit) }),
      finding: { confidence: "confirmed", location: { method: "GET", path: "/v2/admin/audit" } },
    },
    {
      name: "another case of the path",
      document,
      identities,
      target: fakeApi({ ...guarded, "GET /v2/admin/AUDIT": signedIn(audit) }),
    },
    {
      name: "an export beside the list that no document describes",
      document,
      identities,
      target: fakeApi({
        ...guarded,
        "GET /v2/admin/audit/export": signedIn({ body: "by,what\nmara,removed a book\n" }),
      }),
      finding: {
        severity: "high",
        confidence: "firm",
        location: { method: "GET", path: "/v2/admin/audit/export" },
      },
      count: 1,
    },
    {
      name: "HEAD without the role check",
      document,
      identities,
      target: fakeApi({ ...guarded, "HEAD /v2/admin/audit": signedIn({ json: {} }) }),
      finding: { severity: "low", confidence: "firm", location: { method: "HEAD", path: "/v2/admin/audit" } },
    },
  ],
  negative: [
    {
      name: "HEAD where the refusal has status 200",
      document,
      identities,
      target: fakeApi({
        "GET /v2/admin/audit": signedIn((incoming) =>
          callerIn(incoming) === "root" ? audit : { json: { success: false, message: "Access denied" } },
        ),
        "HEAD /v2/admin/audit": signedIn({ json: {} }),
      }),
    },
    {
      name: "an export of each caller's own",
      document,
      identities,
      target: fakeApi({
        ...guarded,
        "GET /v2/admin/audit/export": signedIn((incoming) => ({ body: `by\n${callerIn(incoming)}\n` })),
      }),
    },
    { name: "a refusal of every form", document, identities, target: fakeApi(guarded) },
    {
      name: "an older version that returns to each caller its own entries",
      document,
      identities,
      target: fakeApi({
        ...guarded,
        "GET /v1/admin/audit": signedIn((incoming) => ({ json: { entries: [{ by: callerIn(incoming) }] } })),
      }),
    },
    {
      name: "an older version that says that it moved",
      document,
      identities,
      target: fakeApi({ ...guarded, "GET /v1/{all}": signedIn({ json: { message: "Use version 2" } }) }),
    },
  ],
  inconclusive: [
    {
      name: "an operation that does not refuse the user, which another check reports",
      document,
      identities,
      target: fakeApi({ "GET /v2/admin/audit": signedIn(audit) }),
    },
    { name: "a scan without a plain user", document, identities: [ROOT], target: fakeApi(guarded) },
    {
      name: "a connection that is cut",
      document,
      identities,
      target: fakeApi({
        "GET /v2/admin/audit": (incoming) => (callerIn(incoming) === "ann" ? { cut: true } : audit),
      }),
    },
  ],
});
