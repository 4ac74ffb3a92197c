import { createHmac } from "node:crypto";
import { defineCheck } from "../../engine/check.ts";
import {
  examineForgeries,
  forgeryTargets,
  jsonWebToken,
  plausibleClaims,
} from "../../attacks/forged-tokens.ts";

/** Keys out of tutorials and templates. A handful: this asks for a default, it does not search for a key. */
const DEFAULT_KEYS = ["secret", "", "your-256-bit-secret", "changeme"];

export default defineCheck({
  id: "authentication/guessable-token-key",
  category: "authentication",
  title: "JWT signed with a weak HMAC secret",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server accepts tokens that are signed with a key from a tutorial or template. Anyone can create and sign a token for any user.",
  rule: "A token that the scanner signed (HS256) with a well-known key is answered with a success.",
  control: "The same request without a token, and with the same claims signed with a random key, is refused.",
  remediation:
    "Sign with at least 256 random bits from a secret store, or with a private key (RS256, ES256), and withdraw all tokens issued so far.",
  references: {
    cwe: 1394,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => forgeryTargets(profile, DEFAULT_KEYS),
  notApplicable: "No read asks for a bearer token.",

  async examine({ operation, kinds }, probe) {
    const subject = probe.nonce();
    return examineForgeries(probe, operation, {
      forgeries: kinds.map((key) => ({
        label: `signed with the ${key === "" ? "empty key" : `key "${key}"`}`,
        token: signedToken(subject, key),
      })),
      unbelievable: signedToken(subject, probe.nonce()),
    });
  },
});

function signedToken(subject: string, key: string): string {
  const unsigned = jsonWebToken({ alg: "HS256" }, plausibleClaims(subject));
  return unsigned + createHmac("sha256", key).update(unsigned.slice(0, -1)).digest("base64url");
}
