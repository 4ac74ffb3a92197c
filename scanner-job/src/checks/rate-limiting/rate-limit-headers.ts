import { defineBaselineRow } from "../../attacks/baseline-row.ts";
import { fail, inconclusive } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { limitHeaders } from "../../oracles/throttling.ts";

export default defineBaselineRow({
  id: "rate-limiting/rate-limit-headers",
  category: "rateLimiting",
  title: "Rate limit headers missing",
  severity: "info",
  confidence: "confirmed",
  description:
    "Responses lack `RateLimit`, `X-RateLimit-*` and `Retry-After` headers. Well-behaved clients cannot slow down in time, and consumers cannot tell whether a rate limit exists.",
  rule: "At least one baseline request succeeds, and none of the examined responses has a rate limit header.",
  remediation:
    "Send `RateLimit` and `RateLimit-Policy` (or `X-RateLimit-Limit`, `-Remaining` and `-Reset`) with every response, and `Retry-After` with 429.",
  references: { cwe: 770, owasp: "API4:2023" },
  samples: 8,
  isGood: (response) => limitHeaders(response).length > 0,
  otherwise(responses) {
    const successes = responses.filter(isSuccess).length;
    return successes > 0
      ? fail(`None of ${successes} successful responses has one.`)
      : inconclusive("No baseline read succeeded.");
  },
});
