import { createHmac } from "node:crypto";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isBearer, presentableSchemes, presenting } from "../../engine/credentials.ts";
import { jsonWebToken, plausibleClaims } from "../../engine/json-web-token.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../engine/judge.ts";
import { guardedReads } from "../../engine/subjects.ts";

/** Keys out of tutorials and templates. A handful: this asks for a default, it does not search for a key. */
const DEFAULT_KEYS = ["secret", "", "your-256-bit-secret", "changeme"];

export default defineCheck({
  id: "authentication/guessable-token-key",
  category: "authentication",
  title: "Tokens are signed with a well-known key",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server believes tokens that are signed with a key out of a tutorial or template. Anyone can write and sign a token for any user.",
  rule: "A token that the scanner signed (HS256) with a well-known key is answered with a success.",
  control: "The same request without a token, and with the same claims signed with a random key, is refused.",
  remediation:
    "Sign with at least 256 random bits from a secret store, or with a private key (RS256, ES256), and withdraw all tokens issued so far.",
  references: {
    cwe: 1394,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (survey) =>
    presentableSchemes(survey.document?.securitySchemes).some(isBearer) ? guardedReads(survey, 10) : [],
  notApplicable: "No read asks for a bearer token.",

  async examine(operation, probe) {
    const scheme = presentableSchemes(probe.survey.document?.securitySchemes).find(isBearer)!;
    const request = await probe.withRealIds(operation);
    const without = await probe.control(request);
    const unclear = withoutMeaning(without);
    if (unclear) return inconclusive(unclear);
    if (!isDenied(without)) return pass();

    const subject = probe.nonce();
    const tokenOf = (key: string) => presenting(request, scheme, signedToken(subject, key));
    if (!isDenied(await probe.control(tokenOf(probe.nonce())))) return pass();
    for (const key of DEFAULT_KEYS) {
      const reply = await probe.attack(tokenOf(key));
      if (isSuccess(reply))
        return fail(
          `A token signed with the ${key === "" ? "empty key" : `key "${key}"`} was answered with ${reply.status}.`,
        );
    }
    return pass();
  },
});

function signedToken(subject: string, key: string): string {
  const unsigned = jsonWebToken({ alg: "HS256" }, plausibleClaims(subject));
  return unsigned + createHmac("sha256", key).update(unsigned.slice(0, -1)).digest("base64url");
}
