import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import undocumentedOperation from "./undocumented-operation.ts";

const document = apiDocument({ "/things": { get: {} } });
const page: Route = {
  headers: { "content-type": "text/html" },
  body: '<script>fetch("/api/debug");fetch("/api/health");fetch("/api/manifest.json")</script>',
};
const responding = (route: Route, rest: Record<string, Route> = {}) =>
  fakeApi({ "GET /": page, "GET /things": { json: [] }, "GET /api/debug": route, ...rest });

testCheck(undocumentedOperation, {
  positive: [
    {
      name: "a debug endpoint that a page calls",
      document,
      target: responding({ json: { uptime: 86_400 } }),
      finding: { severity: "low", location: { method: "GET", path: "/api/debug" } },
      count: 1,
    },
    {
      name: "one with personal data, more severely",
      document,
      target: responding({ json: { patientId: 7, dateOfBirth: "1990-01-01" } }),
      finding: { severity: "medium" },
      count: 1,
    },
  ],
  negative: [{ name: "one that returns nothing", document, target: responding({ json: {} }) }],
  inconclusive: [
    {
      name: "one that requires credentials",
      document,
      target: responding({ status: 401, json: { error: "Unauthorized" } }),
    },
    {
      name: "signs of life and files alone",
      document,
      target: responding(
        { status: 404 },
        { "GET /api/health": { json: { ok: 1 } }, "GET /api/manifest.json": { json: { a: 1 } } },
      ),
    },
    { name: "a target without a document", target: responding({ json: { uptime: 1 } }) },
  ],
});
