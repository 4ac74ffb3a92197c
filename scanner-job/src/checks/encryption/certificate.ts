import { X509Certificate } from "node:crypto";
import { checkServerIdentity } from "node:tls";
import { hostOf, type Severity } from "@glovebox/contract";
import { defineCheck, fail, pass } from "../../engine/check.ts";
import { overTls } from "../../attacks/subjects.ts";
import type { Handshake } from "../../transport/tls-handshake.ts";

export default defineCheck({
  id: "encryption/certificate",
  kind: "passive",
  category: "encryption",
  title: "Untrusted or invalid TLS certificate",
  severity: "high",
  confidence: "confirmed",
  description:
    "The TLS certificate does not authenticate the server. Clients reject it or are configured to accept any certificate, and an attacker on the network path can then intercept the traffic.",
  rule: "The presented certificate is expired or not yet valid, is for another name, is from an unknown authority, or has a weak key or signature.",
  control: "None: the certificate itself is the proof; it is fetched twice.",
  remediation:
    "Obtain a certificate for this name from a publicly trusted authority, with a 2048-bit RSA or an elliptic curve key, and renew it automatically.",
  references: {
    cwe: 295,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: overTls,
  notApplicable: "The target is not reached over TLS.",

  async examine(_, probe) {
    const problems = certificateProblems(await probe.handshake(), probe.profile.target.hostname);
    if (problems.length === 0) return pass();
    const severity = problems.some((each) => each.severity === "high") ? "high" : "medium";
    return fail(problems.map(({ message }) => message).join(" "), { severity });
  },
});

interface Problem {
  readonly severity: Severity;
  readonly message: string;
}

/** What is wrong with the certificate of a handshake, each judged by itself. Pure. @internal */
export function certificateProblems(
  { certificate, distrust, at }: Pick<Handshake, "certificate" | "distrust" | "at">,
  hostname: string,
): Problem[] {
  const { valid_from: from, valid_to: to } = certificate;
  const [isOver, isEarly] = [at > new Date(to), at < new Date(from)];
  const isMisnamed = checkServerIdentity(hostOf({ hostname }), certificate) !== undefined;
  const isUnknown = distrust !== undefined && !/EXPIRED|NOT_YET_VALID|ALTNAME/.test(distrust);
  return [
    ...(isOver ? [high(`It expired on ${to}.`)] : []),
    ...(isEarly ? [high(`It is not valid before ${from}.`)] : []),
    ...(isMisnamed ? [high(`It names ${certificate.subjectaltname ?? "no host"}, not ${hostname}.`)] : []),
    ...(isUnknown ? [medium(`Clients do not trust its authority (${distrust}).`)] : []),
    ...weaknessesOf(certificate.raw),
  ];
}

const high = (message: string): Problem => ({ severity: "high", message });
const medium = (message: string): Problem => ({ severity: "medium", message });

function weaknessesOf(raw: Buffer): Problem[] {
  const { publicKey, signatureAlgorithm = "" } = new X509Certificate(raw);
  const bits = publicKey.asymmetricKeyDetails?.modulusLength;
  return [
    ...(bits !== undefined && bits < 2048 ? [high(`Its key has only ${bits} bits.`)] : []),
    ...(/sha1|md5/i.test(signatureAlgorithm) ? [high(`It is signed with ${signatureAlgorithm}.`)] : []),
  ];
}
