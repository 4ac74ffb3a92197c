import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import declaredCallbacks from "./declared-callbacks.ts";

const taking = (name: string) => ({
  post: {
    requestBody: {
      content: {
        "application/json": { schema: { type: "object", properties: { [name]: { type: "string" } } } },
      },
    },
  },
});
const target = fakeApi({});

testCheck(declaredCallbacks, {
  positive: [
    {
      name: "a webhook's address in a body",
      document: apiDocument({ "/webhooks": taking("callbackUrl") }),
      target,
      finding: { severity: "info", description: expect.stringContaining("POST /webhooks") as string },
      count: 1,
    },
    {
      name: "a declared webhook",
      document: apiDocument({ "/a": { get: {} } }, { webhooks: { paid: { post: {} } } }),
      target,
      count: 1,
    },
  ],
  negative: [
    { name: "a document that takes no address", document: apiDocument({ "/users": taking("name") }), target },
    { name: "a person's web site", document: apiDocument({ "/users": taking("website") }), target },
  ],
  inconclusive: [{ name: "a target without a document", target }],
});
