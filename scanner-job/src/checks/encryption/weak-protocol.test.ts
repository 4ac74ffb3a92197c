import { createDemoCertificates } from "@glovebox/demo";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import weakProtocol from "./weak-protocol.ts";

const { keyPem, certPem } = await createDemoCertificates();
const target = fakeApi({ "GET /": { json: {} } });
const speaking = (minVersion: "TLSv1" | "TLSv1.1" | "TLSv1.2") => ({
  key: keyPem,
  cert: certPem,
  minVersion,
  ciphers: "DEFAULT:@SECLEVEL=0",
});

testCheck(weakProtocol, {
  positive: [
    {
      name: "a server that speaks all versions",
      target,
      tls: speaking("TLSv1"),
      finding: { severity: "medium" },
      count: 2,
    },
    {
      name: "a server that begins at TLS 1.1",
      target,
      tls: speaking("TLSv1.1"),
      finding: { location: { method: "GET", path: "/", parameter: "TLS 1.1" } },
      count: 1,
    },
  ],
  negative: [{ name: "a server that begins at TLS 1.2", target, tls: speaking("TLSv1.2") }],
  inconclusive: [{ name: "a target without TLS", target }],
});
