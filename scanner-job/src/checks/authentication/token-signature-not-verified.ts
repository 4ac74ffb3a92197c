import { defineForgedToken, jsonWebToken, wrongSignature } from "../../attacks/forged-tokens.ts";

/** Verifiers that decode a token without verifying it may still look at its algorithm. */
const ALGORITHMS = ["HS256", "RS256", "ES256"];

export default defineForgedToken({
  id: "authentication/token-signature-not-verified",
  title: "JWT signature not verified",
  description:
    "The server reads the claims of a JSON Web Token without verifying its signature. An attacker can forge a token for any user.",
  rule: "A token forged by the scanner with a random signature is accepted.",
  control: "The same request without a token, or with a text that does not parse as a token, is refused.",
  remediation:
    "Verify the signature with a fixed algorithm and key before reading any claim: `verify` instead of `decode`. Check issuer, audience and expiry too, and revoke the tokens issued so far.",

  cost: 2,

  forger: (probe) => (claims) => ({
    forgeries: ALGORITHMS.map((alg) => ({
      label: `with alg "${alg}" and a random signature`,
      token: jsonWebToken({ alg }, claims, wrongSignature(probe)),
    })),
  }),
});
