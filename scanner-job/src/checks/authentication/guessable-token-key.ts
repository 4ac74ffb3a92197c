import { createHmac } from "node:crypto";
import { defineCheck, fail, inconclusive, pass, type Subject } from "../../engine/check.ts";
import { isBearer, presentableSchemes, presenting } from "../../probing/credentials.ts";
import { jsonWebToken, plausibleClaims } from "../../probing/json-web-token.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../judging/judge.ts";
import { guardedReads } from "../../probing/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

/** Keys out of tutorials and templates. A handful: this asks for a default, it does not search for a key. */
const DEFAULT_KEYS = ["secret", "", "your-256-bit-secret", "changeme"];

/** All keys are tried at the first few operations, the commonest at the others: one verifier serves most of them. */
const TRIED_AT_ALL = 3;

interface GuardedRead extends Subject {
  readonly operation: Operation;
  readonly keys: readonly string[];
}

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
    presentableSchemes(survey.document?.securitySchemes).some(isBearer)
      ? guardedReads(survey, 10).map(guardedRead)
      : [],
  notApplicable: "No read asks for a bearer token.",

  async examine({ operation, keys }, probe) {
    const scheme = presentableSchemes(probe.survey.document?.securitySchemes).find(isBearer)!;
    const request = await probe.withRealIds(operation);
    const without = await probe.control(request);
    const unclear = withoutMeaning(without);
    if (unclear) return inconclusive(unclear);
    if (!isDenied(without)) return pass();

    const subject = probe.nonce();
    const tokenOf = (key: string) => presenting(request, scheme, signedToken(subject, key));
    for (const key of keys) {
      const reply = await probe.attack(tokenOf(key));
      if (!isSuccess(reply)) continue;
      // Without this refusal a success would only say that any token will do.
      if (!isDenied(await probe.control(tokenOf(probe.nonce())))) return pass();
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

const guardedRead = (operation: Operation, place: number): GuardedRead => ({
  operation,
  location: operation.location,
  keys: place < TRIED_AT_ALL ? DEFAULT_KEYS : DEFAULT_KEYS.slice(0, 1),
});
