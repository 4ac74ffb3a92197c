import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { overTls } from "../../attacks/subjects.ts";

const DAY_MS = 86_400_000;
/** Automatic renewal runs about 30 days before expiry; two weeks leave time to find out why it failed. */
const SOON_DAYS = 14;

export default defineCheck({
  id: "encryption/certificate-expires-soon",
  kind: "passive",
  category: "encryption",
  title: "TLS certificate about to expire",
  severity: "low",
  confidence: "confirmed",
  description:
    "The TLS certificate expires within two weeks. After that, clients refuse to connect, or users learn to ignore certificate warnings.",
  rule: "The presented certificate expires less than 14 days after the handshake.",
  control: "None: the certificate itself is the proof; it is fetched twice.",
  remediation: "Renew the certificate, and find out why automatic renewal failed.",
  references: { cwe: 298, owasp: "API8:2023" },

  subjects: overTls,
  notApplicable: "The target is not reached over TLS.",

  async examine(_, probe) {
    const { certificate, at } = await probe.handshake();
    const days = Math.floor((new Date(certificate.valid_to).getTime() - at.getTime()) / DAY_MS);
    if (days < 0) return inconclusive("It has already expired, which another check reports.");
    return days < SOON_DAYS ? fail(`It expires on ${certificate.valid_to}, in ${days} days.`) : pass();
  },
});
