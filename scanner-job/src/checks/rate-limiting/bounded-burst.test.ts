import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import boundedBurst from "./bounded-burst.ts";

const document = apiDocument({ "/users": { get: {} } });
const users = { json: { users: [{ id: 1 }] } };

/** Responds by the number of requests so far; discovery and calibration request other paths. */
function counting(respond: (count: number) => Exclude<Route, (...incoming: never[]) => unknown>): Route {
  let count = 0;
  return () => respond(++count);
}

testCheck(boundedBurst, {
  positive: [
    {
      name: "a host that responds to thirty reads in a row",
      document,
      target: fakeApi({ "GET /users": users }),
      finding: { severity: "low", location: { method: "GET", path: "/" } },
      count: 1,
    },
    {
      name: "the same of a public API, where it weighs more",
      document,
      context: "public",
      target: fakeApi({ "GET /users": users }),
      finding: { severity: "medium" },
    },
  ],
  negative: [
    {
      name: "a host that returns 429 after twenty reads",
      document,
      target: fakeApi({
        "GET /users": counting((count) =>
          count > 20
            ? { status: 429, headers: { "Retry-After": "0" }, json: { error: "Too many requests" } }
            : users,
        ),
      }),
    },
    {
      name: "a host that counts down from a thousand",
      document,
      target: fakeApi({
        "GET /users": counting((count) => ({
          ...users,
          headers: { "X-RateLimit-Remaining": String(1000 - count) },
        })),
      }),
    },
    {
      name: "a host that asks for a captcha after ten reads",
      document,
      target: fakeApi({
        "GET /users": counting((count) =>
          count > 10 ? { status: 403, body: "Solve this captcha to go on" } : users,
        ),
      }),
    },
  ],
  inconclusive: [
    {
      name: "a host that refuses everything",
      document,
      target: fakeApi({ "* *": { status: 401, json: { error: "Unauthorized" } } }),
    },
    {
      name: "a host that breaks in the middle of the burst",
      document,
      target: fakeApi({
        "GET /users": counting((count) => (count > 10 ? { status: 500, body: "Oops" } : users)),
      }),
    },
  ],
});
