import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import deprecatedOperationAlive from "./deprecated-operation-alive.ts";

const document = apiDocument({ "/export": { get: { deprecated: true } }, "/things": { get: {} } });
const responding = (route: Route) => fakeApi({ "GET /things": { json: [] }, "GET /export": route });

testCheck(deprecatedOperationAlive, {
  positive: [
    {
      name: "one that responds",
      document,
      target: responding({ json: { rows: [1] } }),
      finding: { severity: "low", location: { method: "GET", path: "/export" } },
      count: 1,
    },
    {
      name: "one whose end has passed, more severely",
      document,
      target: responding({ json: { rows: [1] }, headers: { sunset: "Mon, 01 Jul 2024 00:00:00 GMT" } }),
      finding: { severity: "medium" },
      count: 1,
    },
    {
      name: "one whose end is to come, as any other",
      document,
      target: responding({ json: { rows: [1] }, headers: { sunset: "Fri, 01 Jan 2100 00:00:00 GMT" } }),
      finding: { severity: "low" },
    },
  ],
  negative: [
    {
      name: "one that no longer exists",
      document,
      target: responding({ status: 410, json: { error: "Gone" } }),
    },
    {
      name: "an app that returns the same response for every path",
      document,
      target: fakeApi({ "* *": { body: "<html>app" } }),
    },
  ],
  inconclusive: [
    {
      name: "a host that welcomes to every other path",
      document,
      target: fakeApi({ "GET /export": { json: { rows: [1] } }, "* *": { json: { welcome: "to the API" } } }),
    },
    {
      name: "one that requires credentials",
      document,
      target: responding({ status: 401, json: { error: "Unauthorized" } }),
    },
    {
      name: "a document that deprecates nothing",
      document: apiDocument({ "/things": { get: {} } }),
      target: responding({ json: 1 }),
    },
  ],
});
