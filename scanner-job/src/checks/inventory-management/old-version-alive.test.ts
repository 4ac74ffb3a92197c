import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import oldVersionAlive from "./old-version-alive.ts";

const document = apiDocument({ "/v2/staff": { get: {} } });
const staff = { staff: [{ id: 1, name: "Ada" }] };
const serving = (old: Route, current: Route = { json: staff }) =>
  fakeApi({ "GET /v1/staff": old, "GET /v2/staff": current });

testCheck(oldVersionAlive, {
  positive: [
    {
      name: "a first version with the same fields",
      document,
      target: serving({ json: { staff: [{ id: 1, name: "Ada", role: "nurse" }] } }),
      finding: { severity: "low", location: { method: "GET", path: "/v1/staff" } },
      count: 1,
    },
    {
      name: "a first version that does not require credentials, more severely",
      document,
      target: serving({ json: staff }, { status: 401, json: { error: "Unauthorized" } }),
      finding: { severity: "medium" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a first version that is something else",
      document,
      target: serving({ json: { message: "Version 1 was switched off", see: "/v2" } }),
    },
  ],
  inconclusive: [
    {
      name: "an API without an old version",
      document,
      target: fakeApi({ "GET /v2/staff": { json: staff } }),
    },
    {
      name: "a first version that requires credentials",
      document,
      target: serving({ status: 401, json: { error: "Unauthorized" } }),
    },
    {
      name: "a first version that the document names too",
      document: apiDocument({ "/v1/staff": { get: {} }, "/v2/staff": { get: {} } }),
      target: serving({ json: staff }),
    },
  ],
});
