import {
  defineForgedToken,
  jsonWebToken,
  wrongSignature,
  type Claims,
  type Forgery,
} from "../../attacks/forged-tokens.ts";

/** Headers of tokens without a signature: `none` as RFC 7518 writes it, as filters forget it, and none at all. */
const UNSIGNED = ["none", "nOnE", "HS256", "None", "NONE", "RS256", ""];

/** Both halves of an ECDSA signature zero, which is valid for every message in verifiers without a range check (CVE-2022-21449). */
const ZEROS = Buffer.alloc(64).toString("base64url");

export default defineForgedToken({
  id: "authentication/unsigned-token-accepted",
  title: "JWT signature not verified (alg=none)",
  description:
    "The server accepts JSON Web Tokens without a valid signature (`alg: none`). An attacker can forge a token for any user.",
  rule: "A token without a signature, forged by the scanner, is accepted.",
  control: "The same request without a token, or with the same claims under a wrong signature, is refused.",
  remediation:
    "Configure the accepted algorithms in the verifier (for example only RS256) instead of reading them from the token, and reject `none` in any spelling and empty signatures.",

  cost: 4,

  forger: (probe) => (claims) => ({
    forgeries: unsigned(claims, wrongSignature(probe)),
    unbelievable: jsonWebToken({ alg: "HS256" }, claims, wrongSignature(probe)),
  }),
});

const unsigned = (claims: Claims, signature: string): Forgery[] => [
  ...UNSIGNED.map((alg) => ({
    label: `with alg "${alg}" and no signature`,
    token: jsonWebToken({ alg }, claims),
  })),
  { label: 'with alg "none" and a wrong signature', token: jsonWebToken({ alg: "none" }, claims, signature) },
  { label: 'with alg "none" in two parts', token: jsonWebToken({ alg: "none" }, claims).slice(0, -1) },
  { label: "without alg and signature", token: jsonWebToken({}, claims) },
  { label: "with an ECDSA signature of zeros", token: jsonWebToken({ alg: "ES256" }, claims, ZEROS) },
];
