import { createDemoCertificates } from "@glovebox/demo";
import { expect } from "vitest";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import hsts from "./hsts.ts";

const { keyPem, certPem } = await createDemoCertificates();
const tls = { key: keyPem, cert: certPem };
const sending = (header?: string) =>
  fakeApi({ "* *": { json: {}, headers: header ? { "strict-transport-security": header } : {} } });

testCheck(hsts, {
  positive: [
    { name: "no header", target: sending(), tls, finding: { severity: "low" }, count: 1 },
    {
      name: "a header that ends within a day",
      target: sending("max-age=86400"),
      tls,
      finding: { description: expect.stringContaining("86400 seconds") as string },
      count: 1,
    },
    { name: "a header that takes the promise back", target: sending("max-age=0"), tls, count: 1 },
  ],
  negative: [
    { name: "a year", target: sending("max-age=31536000; includeSubDomains"), tls },
    { name: "180 days, which many sites take for half a year", target: sending("max-age=15552000"), tls },
    { name: "a year in quotes and capitals", target: sending('Max-Age="31536000"'), tls },
  ],
  inconclusive: [
    { name: "a target without TLS", target: sending() },
    {
      name: "a firewall before the host",
      tls,
      target: fakeApi({ "* *": { status: 403, body: "Request blocked" } }),
    },
  ],
});
