import { createDemoCertificates } from "@glovebox/demo";
import { expect } from "vitest";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import weakCipher from "./weak-cipher.ts";

const { keyPem, certPem } = await createDemoCertificates();
const target = fakeApi({ "GET /": { json: {} } });
const offering = (ciphers: string) => ({ key: keyPem, cert: certPem, ciphers });

testCheck(weakCipher, {
  positive: [
    {
      name: "a cipher that encrypts nothing",
      target,
      tls: offering("ALL:eNULL:!aNULL:@SECLEVEL=0"),
      finding: {
        severity: "high",
        location: { method: "GET", path: "/", parameter: "no encryption" },
        description: expect.stringContaining("NULL") as string,
      },
      count: 1,
    },
  ],
  negative: [{ name: "ciphers of current practice", target, tls: offering("ECDHE-ECDSA-AES128-GCM-SHA256") }],
  inconclusive: [{ name: "a target without TLS", target }],
});
