import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import rateLimitHeaders from "./rate-limit-headers.ts";

const document = apiDocument({ "/users": { get: {} }, "/orders": { get: {} } });
const users = { json: { users: [] } };

testCheck(rateLimitHeaders, {
  positive: [
    {
      name: "a host whose responses declare no limit",
      document,
      target: fakeApi({ "GET /users": users, "GET /orders": users }),
      finding: { severity: "info", location: { method: "GET", path: "/" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a host whose responses count requests",
      document,
      target: fakeApi({ "GET /users": { ...users, headers: { "X-RateLimit-Remaining": "99" } } }),
    },
    {
      name: "a host that declares it in only one of its areas",
      document,
      target: fakeApi({
        "GET /users": users,
        "GET /orders": { ...users, headers: { RateLimit: '"default";r=50;t=30' } },
      }),
    },
  ],
  inconclusive: [
    {
      name: "a host that refuses everything",
      document,
      target: fakeApi({ "* *": { status: 401, json: { error: "Unauthorized" } } }),
    },
  ],
});
