import { defineCheck, fail, type Subject } from "../../engine/check.ts";
import { overTls } from "../../attacks/subjects.ts";
import { examineOffer } from "../../attacks/tls-offers.ts";

interface Version extends Subject {
  readonly version: "TLSv1" | "TLSv1.1";
}

export default defineCheck({
  id: "encryption/weak-protocol",
  kind: "passive",
  category: "encryption",
  title: "Deprecated TLS version supported (TLS 1.0/1.1)",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The server supports a deprecated TLS version (RFC 8996) with broken ciphers and signatures. An attacker on the network path may force a downgrade to it and attack the connection.",
  rule: "A handshake that offers only this version succeeds.",
  control: "A handshake that offers all versions shows that the server is reachable.",
  remediation: "Accept TLS 1.2 and 1.3 only.",
  references: {
    cwe: 327,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:P/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    overTls(profile).flatMap(({ location }): Version[] => [
      { version: "TLSv1", location: { ...location, parameter: "TLS 1.0" } },
      { version: "TLSv1.1", location: { ...location, parameter: "TLS 1.1" } },
    ]),
  notApplicable: "The target is not reached over TLS.",

  examine: ({ version, location }, probe) =>
    examineOffer(probe, { version, named: String(location.parameter) }, ({ protocol, cipher }) =>
      fail(`${protocol} was negotiated, with ${cipher}.`),
    ),
});
