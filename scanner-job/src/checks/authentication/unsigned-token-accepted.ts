import { defineCheck, fail, inconclusive, pass, type Subject } from "../../engine/check.ts";
import { isBearer, presentableSchemes, presenting } from "../../probing/credentials.ts";
import { jsonWebToken, plausibleClaims } from "../../probing/json-web-token.ts";
import { isDenied, isSuccess, withoutMeaning } from "../../judging/judge.ts";
import { guardedReads } from "../../probing/subjects.ts";
import type { Operation } from "../../inventory/operation.ts";

/** Headers of tokens without a signature: `none` as RFC 7518 writes it, as filters forget it, and none at all. */
const UNSIGNED = ["none", "nOnE", "HS256"];

/** All headers are tried at the first few operations, `none` at the others: one verifier serves most of them. */
const TRIED_AT_ALL = 3;

interface GuardedRead extends Subject {
  readonly operation: Operation;
  readonly algorithms: readonly string[];
}

export default defineCheck({
  id: "authentication/unsigned-token-accepted",
  category: "authentication",
  title: "Tokens without a signature are accepted",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server believes a JSON Web Token that nobody has signed. Anyone can write a token for any user and sign in with it.",
  rule: "A token without a signature, written by the scanner, is answered with a success.",
  control: "The same request without a token, and with the same claims under a wrong signature, is refused.",
  remediation:
    "Fix the accepted algorithms in the verifier (for instance only RS256) instead of reading them from the token, refuse `none` in any spelling, and refuse empty signatures.",
  references: {
    cwe: 347,
    owasp: "API2:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (survey) =>
    presentableSchemes(survey.document?.securitySchemes).some(isBearer)
      ? guardedReads(survey, 10).map(guardedRead)
      : [],
  notApplicable: "No read asks for a bearer token.",

  async examine({ operation, algorithms }, probe) {
    const scheme = presentableSchemes(probe.survey.document?.securitySchemes).find(isBearer)!;
    const request = await probe.withRealIds(operation);
    const without = await probe.control(request);
    const unclear = withoutMeaning(without);
    if (unclear) return inconclusive(unclear);
    if (!isDenied(without)) return pass();

    const claims = plausibleClaims(probe.nonce());
    const wrong = jsonWebToken({ alg: "HS256" }, claims, probe.nonce().repeat(3).slice(0, 43));
    for (const alg of algorithms) {
      const reply = await probe.attack(presenting(request, scheme, jsonWebToken({ alg }, claims)));
      if (!isSuccess(reply)) continue;
      // Without this refusal a success would only say that any token will do.
      if (!isDenied(await probe.control(presenting(request, scheme, wrong)))) return pass();
      return fail(`A token with alg "${alg}" and no signature was answered with ${reply.status}.`);
    }
    return pass();
  },
});

const guardedRead = (operation: Operation, place: number): GuardedRead => ({
  operation,
  location: operation.location,
  algorithms: place < TRIED_AT_ALL ? UNSIGNED : UNSIGNED.slice(0, 1),
});
