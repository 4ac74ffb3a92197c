import { defineBaselineRow } from "../../attacks/baseline-row.ts";
import { fail, inconclusive } from "../../engine/check.ts";
import { BLOCKED, isBlocked } from "../../oracles/classify.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

/**
 * 180 days. Below half a year, browsers forget the header between two visits of many users; half a year is 15,768,000 s, but
 * many sites and guides write 180 days for it, which protects no less.
 */
const MIN_SECONDS = 15_552_000;

export default defineBaselineRow({
  id: "encryption/hsts",
  category: "encryption",
  title: "HSTS missing or weak",
  severity: "low",
  confidence: "confirmed",
  description:
    "The `Strict-Transport-Security` header is missing or its `max-age` is too short. An attacker on the network path can intercept a first request over plain HTTP and keep the client on it (SSL stripping).",
  rule: "The header is missing (RFC 6797), or its `max-age` is less than 180 days.",
  remediation:
    "Send `Strict-Transport-Security: max-age=31536000; includeSubDomains` with every HTTPS response.",
  references: { cwe: 319, owasp: "API8:2023" },
  overTls: true,
  samples: 3,
  // One response with the header is enough for a browser to remember.
  isGood: (response) => !isBlocked(response) && maxAge(response) >= MIN_SECONDS,
  otherwise(responses) {
    const seen = responses.filter((response) => !isBlocked(response)).map(maxAge);
    if (seen.length === 0) return inconclusive(BLOCKED);
    const longest = Math.max(...seen);
    return fail(longest < 0 ? "No response had the header." : `Its max-age was ${longest} seconds.`);
  },
});

/** In seconds; -1 without the header. */
const maxAge = ({ headers }: ProbeResponse): number => {
  const [, seconds] = /max-age\s*=\s*"?(\d+)/i.exec(headers["strict-transport-security"] ?? "") ?? [];
  return seconds === undefined ? -1 : Number(seconds);
};
