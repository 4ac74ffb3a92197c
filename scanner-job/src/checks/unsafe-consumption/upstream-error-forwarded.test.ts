import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import upstreamErrorForwarded from "./upstream-error-forwarded.ts";

const code = { name: "code", in: "query", required: true, schema: { type: "string" }, example: "EUR" };
const document = apiDocument({ "/currencies": { get: { parameters: [code] } } });
const currencies = (odd: FakeResponse, baseline: FakeResponse = { json: { code: "EUR", rate: 1.17 } }) =>
  fakeApi({ "GET /currencies": ({ query }) => (query.get("code") === "EUR" ? baseline : odd) });
const stripe: FakeResponse = { status: 500, json: { error: { type: "StripeInvalidRequestError" } } };

const envoy: FakeResponse = {
  status: 502,
  body: "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
};

testCheck(upstreamErrorForwarded, {
  positive: [
    {
      name: "the payment provider's error",
      document,
      target: currencies(stripe),
      finding: { severity: "low", location: { method: "GET", path: "/currencies", parameter: "code" } },
      count: 1,
    },
    {
      name: "the HTTP client's error, with status 200",
      document,
      target: currencies({ json: { success: false, error: "Request failed with status code 404" } }),
    },
    {
      name: "the payment provider's error for a baseline request",
      document,
      target: currencies(stripe, stripe),
      finding: { location: { method: "GET", path: "/currencies" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "an error in the API's own words",
      document,
      target: currencies({ status: 404, json: { error: "There is no such currency" } }),
    },
    {
      name: "a response that succeeds and only speaks of such errors",
      document,
      target: currencies({ json: { help: "AxiosError: what to do about it" } }),
    },
  ],
  inconclusive: [
    {
      name: "a gateway whose upstream is down for every path",
      document,
      target: fakeApi({ "GET /": { json: {} }, "* *": envoy }),
    },
    {
      name: "a firewall that responds to odd values",
      document,
      target: currencies({ status: 403, body: "Request blocked" }),
    },
  ],
});
