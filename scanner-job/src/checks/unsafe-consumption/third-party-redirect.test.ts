import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import thirdPartyRedirect from "./third-party-redirect.ts";

const quote = {
  requestBody: {
    content: {
      "application/json": {
        schema: { type: "object", required: ["amount"], properties: { amount: { type: "integer" } } },
      },
    },
  },
};
const posting = apiDocument({ "/quotes/preview": { post: quote } });
const reading = apiDocument({ "/files": { get: {} } });
const to = (location: string, status: number = 307): FakeResponse => ({ status, headers: { location } });

testCheck(thirdPartyRedirect, {
  positive: [
    {
      name: "a preview whose body is sent on to another company",
      document: posting,
      target: fakeApi({ "POST /quotes/preview": to("https://checkout.paylark.test/v1/charges") }),
      finding: { severity: "medium", location: { method: "POST", path: "/quotes/preview" } },
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
      name: "a collection, which might keep what it is sent and so is sent nothing",
      document: apiDocument({ "/payments": { post: quote }, "/files": { get: {} } }),
      target: fakeApi({
        "POST /payments": to("https://checkout.paylark.test/kept"),
        "GET /files": { json: [] },
      }),
    },
  ],
  inconclusive: [
    {
      // No body goes along, but something may have been made: the operation is sent no write more.
      name: "a 303 to the first write",
      document: posting,
      target: fakeApi({ "POST /quotes/preview": to("https://checkout.paylark.test/done", 303) }),
    },
    {
      name: "a host that returns a fault",
      document: reading,
      target: fakeApi({ "GET /files": { status: 502, body: "Bad gateway" } }),
    },
  ],
});
