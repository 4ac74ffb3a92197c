import {
  forgeryExaminer,
  forgeryTargets,
  jsonWebToken,
  wrongSignature,
} from "../../attacks/forged-tokens.ts";
import { defineCheck } from "../../engine/check.ts";

/** Verifiers that decode a token without verifying it may still look at its algorithm. */
const ALGORITHMS = ["HS256", "RS256", "ES256"];

const examineForgeries = forgeryExaminer();

export default defineCheck({
  id: "authentication/token-signature-not-verified",
  category: "authentication",
  title: "JWT signature not verified",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server reads the claims of a JSON Web Token and ignores its signature. Anyone can write a token for any user and log in with it.",
  rule: "A token of the scanner's own claims under random letters as its signature is answered with a success.",
  control: "The same request without a token, and with a text that is no token, is refused.",
  remediation:
    "Verify the signature with a fixed algorithm and key before any claim is read: `verify` instead of `decode`. Check issuer, audience and expiry too, and withdraw the tokens issued so far.",
  references: {
    cwe: 347,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 2,

  subjects: forgeryTargets,
  notApplicable: "No read is known.",

  examine: (target, probe) =>
    examineForgeries(probe, target, (claims) => ({
      forgeries: ALGORITHMS.map((alg) => ({
        label: `with alg "${alg}" and random letters as its signature`,
        token: jsonWebToken({ alg }, claims, wrongSignature(probe)),
      })),
    })),
});
