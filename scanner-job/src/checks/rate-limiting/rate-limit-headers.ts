import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { ordinaryReplies, theHost } from "../../attacks/subjects.ts";
import { limitHeaders } from "../../oracles/throttling.ts";

export default defineCheck({
  id: "rate-limiting/rate-limit-headers",
  category: "rateLimiting",
  title: "Rate limit headers missing",
  severity: "info",
  confidence: "confirmed",
  description:
    "No answer carries `RateLimit`, `X-RateLimit-*` or `Retry-After`. Well-behaved clients cannot slow down in time, and it is not visible from outside whether there is a limit.",
  rule: "At least one ordinary answer succeeds, and none of the examined responses has a rate limit header.",
  control: "None: the headers themselves are the proof.",
  remediation:
    "Send `RateLimit` and `RateLimit-Policy` (or `X-RateLimit-Limit`, `-Remaining` and `-Reset`) with every answer, and `Retry-After` with 429.",
  references: { cwe: 770, owasp: "API4:2023" },
  passive: true,

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(_, probe) {
    let successes = 0;
    for await (const reply of ordinaryReplies(probe, 8)) {
      if (limitHeaders(reply).length > 0) return pass();
      if (isSuccess(reply)) successes++;
    }
    if (successes === 0) return inconclusive("No ordinary read was answered with success.");
    return fail(`None of ${successes} successful answers has one.`);
  },
});
