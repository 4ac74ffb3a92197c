import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import nonProductionServers from "./non-production-servers.ts";

const naming = (...servers: string[]) =>
  apiDocument({ "/things": { get: {} } }, { servers: servers.map((url) => ({ url })) });
const target = fakeApi({ "GET /": { json: {} } });

testCheck(nonProductionServers, {
  positive: [
    {
      name: "servers of the document",
      document: naming("/", "https://staging.acme.com/v2", "https://api.dev.acme.com"),
      target,
      finding: {
        severity: "low",
        description: expect.stringContaining("staging.acme.com, api.dev.acme.com") as string,
      },
      count: 1,
    },
    {
      name: "a host in a policy",
      target: fakeApi({
        "* *": { json: {}, headers: { "content-security-policy": "connect-src https://qa.acme.com" } },
      }),
      count: 1,
    },
  ],
  negative: [
    {
      name: "servers for production and a public sandbox",
      document: naming("https://api.acme.com", "https://sandbox.acme.com"),
      target,
    },
    { name: "no document and no such header", target },
  ],
  inconclusive: [
    {
      name: "a firewall before the host",
      target: fakeApi({ "* *": { status: 403, body: "Request blocked" } }),
    },
  ],
});
