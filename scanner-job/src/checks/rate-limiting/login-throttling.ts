import { randomInt } from "node:crypto";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { attemptKind, attemptRequest, emptyAttempt } from "../../engine/credential-attempts.ts";
import { withoutMeaning } from "../../engine/judge.ts";
import { alike } from "../../engine/similarity.ts";
import { throttlingIn } from "../../engine/throttling.ts";
import type { Reply } from "../../transport/exchange.ts";

/** Attempts in each of the two looks, all for a user who cannot exist. */
const ATTEMPTS = 10;

export default defineCheck({
  id: "rate-limiting/login-throttling",
  category: "rateLimiting",
  title: "Attempts to sign in are not seen to be limited",
  severity: { default: "medium", financial: "high" },
  confidence: "firm",
  description:
    "Sign-ins, resets or one-time codes were tried in a row, and nothing slowed the caller down or asked for a proof of being human. Passwords and codes can be guessed at the speed of the network.",
  rule: `${ATTEMPTS} wrong attempts in a row are all refused alike: no 429, no captcha, no lock, no growing delay.`,
  control: "An empty body is answered otherwise, which shows that the attempts were judged.",
  remediation:
    "Count failed attempts per account and per client address, delay or refuse after five with 429 and `Retry-After`, and let one-time codes expire after a few wrong ones.",
  references: {
    cwe: 307,
    owasp: "API4:2023",
    cvss: "CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  last: true,

  subjects: ({ operations }) => operations.filter((operation) => attemptKind(operation)).slice(0, 4),
  notApplicable: "No operation that signs in, resets a password or takes a one-time code is declared.",

  async examine(operation, probe) {
    const user = probe.nonce();
    const attempt = () =>
      attemptRequest(operation, {
        user,
        password: probe.nonce(),
        code: String(randomInt(100_000, 1_000_000)),
      });
    const replies: Reply[] = [];
    while (replies.length < ATTEMPTS) {
      replies.push(await probe.attack(attempt()));
      if (replies.length === 1 && replies[0]!.status !== 429) {
        const unclear = withoutMeaning(replies[0]!);
        if (unclear) return inconclusive(unclear);
      }
      if (throttlingIn(replies)) return pass();
    }
    const [first, last] = [replies[0]!, replies.at(-1)!];
    if (last.status !== first.status)
      return inconclusive(`Attempts were answered ${first.status} first and ${last.status} last.`);

    const empty = await probe.control(emptyAttempt(operation));
    if (empty.status === 429) return pass();
    if (alike(empty, first)) return inconclusive("An empty body is answered like an attempt.");
    return fail(
      `No throttling was observed within ${ATTEMPTS} ${attemptKind(operation)}; the last was answered ${last.status}.`,
    );
  },
});
