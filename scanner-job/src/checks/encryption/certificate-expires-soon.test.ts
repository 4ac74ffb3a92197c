import { createDemoCertificates } from "@glovebox/demo";
import { expect } from "vitest";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import certificateExpiresSoon from "./certificate-expires-soon.ts";

/** The demo's certificates are valid for a year. */
const madeDaysAgo = async (days: number) => {
  const { keyPem, certPem, caPem } = await createDemoCertificates(new Date(Date.now() - days * 86_400_000));
  return { tls: { key: keyPem, cert: certPem }, extraCa: caPem };
};
const target = fakeApi({ "GET /": { json: {} } });

testCheck(certificateExpiresSoon, {
  positive: [
    {
      name: "a certificate that ends in five days",
      target,
      ...(await madeDaysAgo(359)),
      finding: { severity: "low", description: expect.stringContaining("in 5 days") as string },
      count: 1,
    },
  ],
  negative: [{ name: "a certificate that ends in a month", target, ...(await madeDaysAgo(330)) }],
  inconclusive: [
    { name: "a certificate that has ended", target, ...(await madeDaysAgo(400)) },
    { name: "a target without TLS", target },
  ],
});
