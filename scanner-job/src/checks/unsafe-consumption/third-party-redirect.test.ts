import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type Answer } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import thirdPartyRedirect from "./third-party-redirect.ts";

const payment = {
  requestBody: {
    content: {
      "application/json": {
        schema: { type: "object", required: ["amount"], properties: { amount: { type: "integer" } } },
      },
    },
  },
};
const posting = apiDocument({ "/payments": { post: payment } });
const reading = apiDocument({ "/files": { get: {} } });
const to = (location: string, status: number = 307): Answer => ({ status, headers: { location } });

testCheck(thirdPartyRedirect, {
  positive: [
    {
      name: "a payment whose body is sent on to another company",
      document: posting,
      target: fakeApi({ "POST /payments": to("https://checkout.paylark.test/v1/charges") }),
      finding: { severity: "medium", location: { method: "POST", path: "/payments" } },
      count: 1,
    },
    {
      name: "a read that leads to another host without encryption",
      document: reading,
      target: fakeApi({ "GET /files": to("http://files.paylark.test/", 302) }),
      finding: { severity: "medium" },
    },
    {
      name: "a download kept with another company, for information",
      document: reading,
      target: fakeApi({ "GET /files": to("https://bucket.storage.test/1", 302) }),
      finding: { severity: "info" },
    },
  ],
  negative: [
    {
      name: "a redirect on the same host",
      document: reading,
      target: fakeApi({ "GET /files": to("/files/", 308) }),
    },
    {
      name: "a host that redirects everything to its other name",
      document: reading,
      target: fakeApi({ "* *": to("https://www.larkfield.test/", 301) }),
    },
    {
      name: "a redirect to sign in elsewhere",
      document: reading,
      target: fakeApi({ "GET /files": to("https://sso.larkfield.test/login?next=files", 302) }),
    },
    {
      name: "an API without validation, which would keep whatever JSON it is sent",
      document: posting,
      target: fakeApi({
        "POST /payments": ({ body }) =>
          body === "{" ? { status: 400 } : to("https://checkout.paylark.test/kept"),
      }),
    },
    {
      name: "a 303, with which no body goes along",
      document: posting,
      target: fakeApi({ "POST /payments": to("https://checkout.paylark.test/done", 303) }),
    },
  ],
  inconclusive: [
    {
      name: "a host that answers with a fault",
      document: reading,
      target: fakeApi({ "GET /files": { status: 502, body: "Bad gateway" } }),
    },
  ],
});
