import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import internalAddresses from "./internal-addresses.ts";

const document = apiDocument({ "/info": { get: {} } });
const responding = (json: unknown, headers = {}) =>
  fakeApi({ "GET /": { json: {} }, "GET /info": { json, headers } });

testCheck(internalAddresses, {
  positive: [
    {
      name: "the address of a database",
      document,
      target: responding({ storage: "10.20.0.15:5432" }),
      finding: { severity: "low", description: expect.stringContaining("Seen: 10.20.0.15.") as string },
      count: 1,
    },
    {
      name: "a backend in a header",
      document,
      target: responding({}, { "x-backend-server": "http://app-3.prod.internal/" }),
      count: 1,
    },
  ],
  negative: [
    { name: "public addresses", document, target: responding({ dns: "93.184.216.34", version: "10.1.2.3" }) },
    { name: "the caller's own address", document, target: responding({ ip: "10.0.0.7" }) },
    {
      name: "an address that the request named",
      document: apiDocument({
        "/info": { get: { parameters: [{ name: "host", in: "query", example: "10.9.8.7" }] } },
      }),
      target: fakeApi({
        "GET /": { json: {} },
        "GET /info": ({ query }) => ({ json: { unknown: query.get("host") } }),
      }),
    },
    {
      name: "the samples in the API's own document",
      document,
      target: responding({ openapi: "3.1.0", servers: [{ url: "http://api.corp.internal/" }] }),
    },
    { name: "the target's own address", document, target: responding({ self: "http://127.0.0.1/info" }) },
  ],
  inconclusive: [
    {
      name: "a firewall before the host",
      document,
      target: fakeApi({ "* *": { status: 403, body: "Request blocked" } }),
    },
  ],
});
