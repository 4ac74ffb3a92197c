import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { ANN, callerIn } from "../../testing/callers.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import publicDocument from "./public-document.ts";

const document = apiDocument({ "/things": { get: {}, post: {} } });
const open = fakeApi({ "GET /openapi.json": { json: document }, "GET /things": { json: [] } });
const smaller = apiDocument({ "/things": { get: {} } });
/** A document for who is signed in, and another for everybody else. */
const byCaller = (anonymous: FakeResponse) =>
  fakeApi({
    "GET /openapi.json": (request) => (callerIn(request) === undefined ? anonymous : { json: document }),
    "GET /things": { json: [] },
  });
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
    {
      name: "a document of which anonymous callers get less, by what they get",
      target: byCaller({ json: smaller }),
      identities: [ANN],
      finding: { description: expect.stringContaining("names 1 operations") as string },
    },
  ],
  negative: [
    {
      name: "a document that only an identity gets",
      target: byCaller({ status: 401, json: { error: "Unauthorized" } }),
      identities: [ANN],
    },
    {
      name: "a document in place of which anonymous callers get the page of a sign-in",
      target: byCaller({ headers: { "content-type": "text/html" }, body: "<form action=/login></form>" }),
      identities: [ANN],
    },
    {
      name: "a document that came with the order",
      document,
      target: fakeApi({ "GET /things": { json: [] } }),
    },
  ],
  inconclusive: [{ name: "a target without a document", target: fakeApi({ "GET /": { json: {} } }) }],
});
