import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import unsignedEventAccepted from "./unsigned-event-accepted.ts";

const signature = { name: "X-Signature", in: "header", required: true, schema: { type: "string" } };
const document = apiDocument({ "/webhooks/payments": { post: { parameters: [signature] } } });
const receiving = (answer: Answer) => fakeApi({ "POST /webhooks/payments": answer });

testCheck(unsignedEventAccepted, {
  positive: [
    {
      name: "a receiver that believes everything",
      document,
      target: receiving({ json: { received: true } }),
      finding: { severity: "medium", location: { method: "POST", path: "/webhooks/payments" } },
      count: 1,
    },
    {
      name: "the same of a financial API, where it weighs more",
      document,
      context: "financial",
      target: receiving({ status: 202, json: {} }),
      finding: { severity: "high" },
    },
  ],
  negative: [
    {
      name: "a receiver that refuses the signature",
      document,
      target: receiving({ status: 401, json: { error: "Unauthorized" } }),
    },
    {
      name: "a receiver that calls it a bad request",
      document,
      target: receiving({ status: 400, json: { error: "The signature does not match" } }),
    },
  ],
  inconclusive: [
    {
      name: "a receiver that reads the event first",
      document,
      target: receiving({ status: 400, json: { error: "event is required" } }),
    },
    {
      name: "a host that takes everything",
      document,
      target: fakeApi({ "POST *": { json: { received: true } } }),
    },
    {
      name: "an API without signed events",
      document: apiDocument({ "/webhooks/payments": { post: {} } }),
      target: receiving({ json: { received: true } }),
    },
  ],
});
