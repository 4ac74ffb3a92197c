import { expect } from "vitest";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import versionDisclosure from "./version-disclosure.ts";

const sending = (headers: Record<string, string>) => fakeApi({ "* *": { json: {}, headers } });

testCheck(versionDisclosure, {
  positive: [
    {
      name: "a server's banner",
      target: sending({ server: "Apache/2.4.29 (Ubuntu)", "x-powered-by": "PHP/7.2.34" }),
      finding: {
        severity: "info",
        description: expect.stringContaining(
          "server: Apache/2.4.29 (Ubuntu); x-powered-by: PHP/7.2.34",
        ) as string,
      },
      count: 1,
    },
    {
      name: "a banner of errors alone",
      target: fakeApi({
        "GET /": { json: {} },
        "* *": { status: 404, json: {}, headers: { server: "nginx/1.18.0" } },
      }),
      finding: { location: { method: "GET", path: "/" } },
      count: 1,
    },
    { name: "a version alone", target: sending({ "x-aspnet-version": "4.0.30319" }), count: 1 },
  ],
  negative: [
    { name: "a product without a version", target: sending({ server: "nginx", "x-powered-by": "Express" }) },
    { name: "no banner", target: sending({}) },
  ],
  inconclusive: [
    {
      name: "a firewall before the host",
      target: fakeApi({ "* *": { status: 403, body: "Request blocked" } }),
    },
  ],
});
