import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import versionDowngrade from "./version-downgrade.ts";

const document = apiDocument({ "/v2/staff": { get: {} } }, BEARER);
const staff = { json: { staff: [{ id: "s-1", name: "Ines" }] } };
const unauthorized = { status: 401, json: { error: "Unauthorized" } };

testCheck(versionDowngrade, {
  positive: [
    {
      name: "a first version that asks for nothing",
      document,
      target: fakeApi({ "GET /v2/staff": unauthorized, "GET /v1/staff": staff }),
      finding: { severity: "high", location: { method: "GET", path: "/v1/staff" } },
      count: 1,
    },
    {
      name: "a version before the last one, below the server's path",
      document: apiDocument({ "/staff": { get: {} } }, { ...BEARER, servers: [{ url: "/api/v3" }] }),
      target: fakeApi({ "GET /api/v3/staff": unauthorized, "GET /api/v1/staff": staff }),
    },
  ],
  negative: [
    { name: "a version that stands alone", document, target: fakeApi({ "GET /v2/staff": unauthorized }) },
    {
      name: "an older version that refuses too",
      document,
      target: fakeApi({ "GET /v2/staff": unauthorized, "GET /v1/staff": unauthorized }),
    },
    {
      name: "an older version that only returns a notice of its successor",
      document,
      target: fakeApi({
        "GET /v2/staff": unauthorized,
        "GET /v1/{all}": { json: { message: "Use version 2" } },
      }),
    },
    {
      name: "an older version that is public by its document",
      document: apiDocument({ "/v2/staff": { get: {} }, "/v1/staff": { get: { security: [] } } }, BEARER),
      target: fakeApi({ "GET /v2/staff": unauthorized, "GET /v1/staff": staff }),
    },
  ],
  inconclusive: [
    {
      name: "an operation that is open in its own version",
      document,
      target: fakeApi({ "GET /v2/staff": staff, "GET /v1/staff": staff }),
    },
    {
      name: "a first version",
      document: apiDocument({ "/v1/staff": { get: {} } }, BEARER),
      target: fakeApi({}),
    },
    { name: "a fault", document, target: fakeApi({ "GET /v2/staff": { status: 500, json: {} } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /v2/staff": { cut: true } }) },
  ],
});
