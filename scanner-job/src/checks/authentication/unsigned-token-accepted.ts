import { defineCheck } from "../../engine/check.ts";
import {
  examineForgeries,
  forgeryTargets,
  jsonWebToken,
  plausibleClaims,
} from "../../attacks/forged-tokens.ts";

/** Headers of tokens without a signature: `none` as RFC 7518 writes it, as filters forget it, and none at all. */
const UNSIGNED = ["none", "nOnE", "HS256"];

export default defineCheck({
  id: "authentication/unsigned-token-accepted",
  category: "authentication",
  title: "JWT signature not verified (alg=none)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server accepts a JSON Web Token without a valid signature. Anyone can create a token for any user and log in with it.",
  rule: "A token without a signature, written by the scanner, is answered with a success.",
  control: "The same request without a token, and with the same claims under a wrong signature, is refused.",
  remediation:
    "Fix the accepted algorithms in the verifier (for instance only RS256) instead of reading them from the token, refuse `none` in any spelling, and refuse empty signatures.",
  references: {
    cwe: 347,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => forgeryTargets(profile, UNSIGNED),
  notApplicable: "No read asks for a bearer token.",

  async examine({ operation, kinds }, probe) {
    const claims = plausibleClaims(probe.nonce());
    return examineForgeries(probe, operation, {
      forgeries: kinds.map((alg) => ({
        label: `with alg "${alg}" and no signature`,
        token: jsonWebToken({ alg }, claims),
      })),
      unbelievable: jsonWebToken({ alg: "HS256" }, claims, probe.nonce().repeat(3).slice(0, 43)),
    });
  },
});
