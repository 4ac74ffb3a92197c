import { defineForgedToken, jsonWebToken, wrongSignature } from "../../attacks/forged-tokens.ts";

/** Verifiers that decode a token without verifying it may still look at its algorithm. */
const ALGORITHMS = ["HS256", "RS256", "ES256"];

export default defineForgedToken({
  id: "authentication/token-signature-not-verified",
  title: "JWT signature not verified",
  description:
    "The server reads the claims of a JSON Web Token and ignores its signature. Anyone can write a token for any user and log in with it.",
  rule: "A token of the scanner's own claims under random letters as its signature is answered with a success.",
  control: "The same request without a token, and with a text that is no token, is refused.",
  remediation:
    "Verify the signature with a fixed algorithm and key before any claim is read: `verify` instead of `decode`. Check issuer, audience and expiry too, and withdraw the tokens issued so far.",

  cost: 2,

  forger: (probe) => (claims) => ({
    forgeries: ALGORITHMS.map((alg) => ({
      label: `with alg "${alg}" and random letters as its signature`,
      token: jsonWebToken({ alg }, claims, wrongSignature(probe)),
    })),
  }),
});
