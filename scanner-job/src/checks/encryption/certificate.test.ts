import { X509Certificate } from "node:crypto";
import { createDemoCertificates } from "@glovebox/demo";
import { describe, expect, it } from "vitest";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import certificate, { certificateProblems } from "./certificate.ts";

const YEAR_MS = 366 * 86_400_000;
const now = new Date();
const current = await createDemoCertificates(now);
const old = await createDemoCertificates(new Date(now.getTime() - 2 * YEAR_MS));
const tlsOf = ({ keyPem, certPem }: typeof current) => ({ key: keyPem, cert: certPem });
const target = fakeApi({ "GET /": { json: {} } });

testCheck(certificate, {
  positive: [
    {
      name: "an unknown certificate authority",
      target,
      tls: tlsOf(current),
      finding: { severity: "medium" },
      count: 1,
    },
    {
      name: "a certificate that has ended",
      target,
      tls: tlsOf(old),
      extraCa: old.caPem,
      finding: { severity: "high", description: expect.stringContaining("It expired on") as string },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a current certificate of a known authority",
      target,
      tls: tlsOf(current),
      extraCa: current.caPem,
    },
  ],
  inconclusive: [{ name: "a target without TLS", target }],
});

describe("certificateProblems", () => {
  const seen = new X509Certificate(current.certPem).toLegacyObject();
  const trusted = { certificate: seen, distrust: undefined, at: now };

  it("does not report a trusted certificate", () => {
    expect(certificateProblems(trusted, "localhost")).toEqual([]);
    expect(certificateProblems(trusted, "[::1]")).toEqual([]);
  });

  it.each([
    ["another name", trusted, "api.acme.test", "high", "not api.acme.test"],
    [
      "a date before its first",
      { ...trusted, at: new Date(0) },
      "localhost",
      "high",
      "It is not valid before",
    ],
    [
      "an unknown authority",
      { ...trusted, distrust: "SELF_SIGNED_CERT_IN_CHAIN" },
      "localhost",
      "medium",
      "SELF_SIGNED",
    ],
  ])("reports %s", (_, handshake, host, severity, message) => {
    expect(certificateProblems(handshake, host)).toEqual([
      { severity, message: expect.stringContaining(message) as string },
    ]);
  });

  it("reports a wrong name besides an unknown authority", () => {
    const problems = certificateProblems(
      { ...trusted, distrust: "DEPTH_ZERO_SELF_SIGNED_CERT" },
      "api.acme.test",
    );
    expect(problems.map(({ severity }) => severity)).toEqual(["high", "medium"]);
  });
});
