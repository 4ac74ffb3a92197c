import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { ordinaryReplies, theHost } from "../../attacks/subjects.ts";
import { limitHeaders } from "../../oracles/throttling.ts";

export default defineCheck({
  id: "rate-limiting/rate-limit-headers",
  category: "rateLimiting",
  title: "Answers do not say how many requests are allowed",
  severity: "info",
  confidence: "confirmed",
  description:
    "No answer carries `RateLimit`, `X-RateLimit-*` or `Retry-After`. Well-behaved clients cannot slow down in time, and whether there is a limit at all cannot be told from outside.",
  rule: "At least one ordinary answer succeeds, and none of those looked at has a header of a rate limit.",
  control: "None: the headers themselves are the proof.",
  remediation:
    "Send `RateLimit` and `RateLimit-Policy` (or `X-RateLimit-Limit`, `-Remaining` and `-Reset`) with every answer, and `Retry-After` with 429.",
  references: { cwe: 770, owasp: "API4:2023" },
  passive: true,

  subjects: theHost,
  notApplicable: "There is always a host to look at.",

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
