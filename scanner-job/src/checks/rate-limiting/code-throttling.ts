import { randomInt } from "node:crypto";
import { verdictOnHeldUp } from "../../attacks/held-up-attempts.ts";
import { sentAs } from "../../attacks/roles.ts";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { attemptKind, attemptRequest, emptyAttempt } from "../../inventory/credential-attempts.ts";
import { isBlocked, isDenied, isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { saysLocked } from "../../oracles/throttling.ts";

/** In each of the two examinations. */
const ATTEMPTS = 8;

export default defineCheck({
  id: "rate-limiting/code-throttling",
  kind: "burst",
  active: true,
  category: "rateLimiting",
  title: "One-time codes can be guessed without limit",
  severity: "medium",
  confidence: "firm",
  description:
    "A user who is signed in can try one-time codes without a limit. An attacker with a password or a session guesses the six digits of a second factor, or of a confirmation, within hours. The scan tried codes as a user that it had registered.",
  rule: `${ATTEMPTS} wrong codes in a row get the same refusal: no 429, no lockout and no growing delay.`,
  control: "A request without a code gets a different response: the codes were evaluated.",
  remediation:
    "Invalidate a code after five wrong attempts, count the attempts per account, and require a new code that is sent again.",
  references: {
    cwe: 307,
    owasp: "API4:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 12,

  subjects: ({ active, operations }) =>
    active?.furtherUsers
      ? operations.filter(
          ({ facts }) => attemptKind(facts) === "one-time codes" && facts.security === "required",
        )
      : [],
  notApplicable: "The scan could not register users, or no operation takes one-time codes of them.",

  async examine(operation, probe) {
    const caller = probe.profile.active!.stranger!;
    const attempt = () =>
      sentAs(
        attemptRequest(operation, {
          user: probe.profile.calibration.nonce,
          password: probe.nonce(),
          code: String(randomInt(100_000, 1_000_000)),
        }),
        caller,
      );
    const responses = await probe.burst(attempt, ATTEMPTS, isBlocked);
    const [first, last] = [responses[0]!, responses.at(-1)!];
    if (last.status === 401 && first.status !== 401)
      return inconclusive("The session ended during the attempts: its token may have expired.");
    const heldUp = isBlocked(last) ? pass() : await verdictOnHeldUp(responses, probe);
    if (heldUp) return heldUp;
    const unclear = withoutMeaning(first);
    if (unclear) return inconclusive(unclear);
    if (first.status === 401 || isSuccess(first)) return inconclusive(`A code got status ${first.status}.`);
    if (saysLocked(first)) return inconclusive("The first response already reports a limit on attempts.");
    if (last.status !== first.status) return pass();
    const empty = await probe.control(sentAs(emptyAttempt(operation), caller));
    if (areSimilar(empty, first))
      return inconclusive(
        isDenied(first) ? "The user may not try codes." : "A request without a code gets the same response.",
      );
    return fail(
      `No limit was observed within ${responses.length} one-time codes; the last got status ${last.status}.`,
    );
  },
});
