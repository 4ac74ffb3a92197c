import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import undeclaredResponseFields from "./undeclared-response-fields.ts";

const returning = (properties: object) => ({
  get: {
    responses: {
      200: {
        description: "Found",
        content: { "application/json": { schema: { type: "object", properties } } },
      },
    },
  },
});
const text = { type: "string" };
const document = apiDocument({ "/patient": returning({ id: { type: "integer" }, name: text }) });
const responding = (json: unknown, status = 200) => fakeApi({ "GET /patient": { status, json } });

testCheck(undeclaredResponseFields, {
  positive: [
    {
      name: "a social security number that the document does not name",
      document,
      target: responding({ id: 1, name: "Ada", ssn: "536-90-4399" }),
      finding: { severity: "medium", description: expect.stringContaining("ssn") as string },
      count: 1,
    },
    {
      name: "an internal mark, further down",
      document,
      target: responding({ id: 1, account: { isAdmin: false } }),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a field that the document names",
      document: apiDocument({ "/patient": returning({ ssn: text }) }),
      target: responding({ ssn: "536-90-4399" }),
    },
    { name: "one more harmless field", document, target: responding({ id: 1, nickname: "A" }) },
    { name: "a sensitive field without a value", document, target: responding({ id: 1, ssn: null }) },
    { name: "a refusal", document, target: responding({ error: "Unauthorized" }, 401) },
  ],
  inconclusive: [
    {
      name: "a document that declares no fields",
      document: apiDocument({ "/patient": { get: {} } }),
      target: responding({ ssn: "536-90-4399" }),
    },
    { name: "a fault", document, target: responding({ ssn: "1" }, 500) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /patient": { cut: true } }) },
  ],
});
