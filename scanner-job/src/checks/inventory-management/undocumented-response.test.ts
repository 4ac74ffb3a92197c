import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import undocumentedResponse from "./undocumented-response.ts";

const declaring = (responses: object) => apiDocument({ "/things": { get: { responses } } });
const ok = { 200: { description: "Done", content: { "application/json": { schema: { type: "object" } } } } };
const responding = (route: Route) => fakeApi({ "GET /things": route });

testCheck(undocumentedResponse, {
  positive: [
    {
      name: "a page where JSON is declared",
      document: declaring(ok),
      target: responding({ headers: { "content-type": "text/html" }, body: "<p>things" }),
      finding: {
        severity: "info",
        location: { method: "GET", path: "/things" },
        description: expect.stringContaining("text/html is not declared") as string,
      },
      count: 1,
    },
    {
      name: "a status that is not declared",
      document: declaring({ 201: { description: "Made" } }),
      target: responding({ json: {} }),
      count: 1,
    },
  ],
  negative: [
    { name: "what is declared", document: declaring(ok), target: responding({ json: {} }) },
    {
      name: "another kind of JSON",
      document: declaring(ok),
      target: responding({ json: {}, headers: { "content-type": "application/hal+json" } }),
    },
    {
      name: "a class of statuses",
      document: declaring({ "2XX": { description: "Done" } }),
      target: responding({ json: {} }),
    },
    {
      name: "a default",
      document: declaring({ default: { description: "Any" } }),
      target: responding({ json: {} }),
    },
  ],
  inconclusive: [
    {
      name: "an operation that requires credentials",
      document: declaring(ok),
      target: responding({ status: 401 }),
    },
    { name: "a fault", document: declaring(ok), target: responding({ status: 500 }) },
  ],
});
