import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import publicDocument from "./public-document.ts";

const document = apiDocument({ "/things": { get: {}, post: {} } });
const open = fakeApi({ "GET /openapi.json": { json: document }, "GET /things": { json: [] } });
const description = expect.stringContaining("/openapi.json names 2 operations") as string;

testCheck(publicDocument, {
  positive: [
    {
      name: "a document at its common address",
      target: open,
      finding: { severity: "info", description },
      count: 1,
    },
    {
      name: "the document of an internal API, more severely",
      target: open,
      context: "internal",
      finding: { severity: "low" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a document that came with the order",
      document,
      target: fakeApi({ "GET /things": { json: [] } }),
    },
  ],
  inconclusive: [{ name: "a target without a document", target: fakeApi({ "GET /": { json: {} } }) }],
});
