import type { Severity } from "@glovebox/contract";
import { defineCheck, fail, type Subject } from "../../engine/check.ts";
import { overTls } from "../../attacks/subjects.ts";
import { examineOffer } from "../../attacks/tls-offers.ts";

interface Group extends Subject {
  readonly ciphers: string;
  readonly name: string;
  readonly severity: Severity;
}

export default defineCheck({
  id: "encryption/weak-cipher",
  kind: "passive",
  category: "encryption",
  title: "Weak TLS cipher suites supported",
  severity: "medium",
  confidence: "confirmed",
  description:
    "The server supports weak TLS cipher suites. An attacker on the network path may be able to decrypt the traffic, immediately or later once the server's key is compromised.",
  rule: "A TLS 1.2 handshake that offers only this group of ciphers succeeds.",
  control: "A handshake that offers all ciphers shows that the server is reachable.",
  remediation:
    "Support only ciphers with forward secrecy and authenticated encryption: TLS 1.3, and `ECDHE-…-GCM` or `CHACHA20-POLY1305` of TLS 1.2.",
  references: {
    cwe: 327,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:P/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    overTls(profile).flatMap(({ location }) =>
      GROUPS.map((group): Group => ({ ...group, location: { ...location, parameter: group.name } })),
    ),
  notApplicable: "The target is not reached over TLS.",

  examine: ({ ciphers, name, severity }, probe) =>
    examineOffer(probe, { version: "TLSv1.2", ciphers, named: `ciphers of type "${name}"` }, ({ cipher }) =>
      fail(`${cipher} was negotiated.`, { severity }),
    ),
});

/** OpenSSL's names of groups. */
const GROUPS: readonly Pick<Group, "name" | "ciphers" | "severity">[] = [
  { name: "no encryption", ciphers: "eNULL:!aNULL", severity: "high" },
  { name: "no authentication", ciphers: "aNULL:!eNULL", severity: "high" },
  { name: "export", ciphers: "EXPORT", severity: "high" },
  { name: "RC4", ciphers: "RC4", severity: "medium" },
  { name: "3DES", ciphers: "3DES", severity: "medium" },
  { name: "no forward secrecy", ciphers: "kRSA:!eNULL:!aNULL", severity: "low" },
];
