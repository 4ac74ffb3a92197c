import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { BLOCKED, isBlocked } from "../../oracles/classify.ts";
import { ordinaryReplies, overTls } from "../../attacks/subjects.ts";

/** Half a year: below it, browsers forget between two visits of many users. */
const ENOUGH_SECONDS = 15_768_000;

export default defineCheck({
  id: "encryption/hsts",
  category: "encryption",
  title: "HSTS missing or weak",
  severity: "low",
  confidence: "confirmed",
  description:
    "`Strict-Transport-Security` is missing or ends too soon. A browser's first request may go out unencrypted, and who intercepts it can keep the visitor there.",
  rule: "The header is absent (RFC 6797), or its `max-age` is less than half a year.",
  control: "None: the header itself is the proof.",
  remediation:
    "Send `Strict-Transport-Security: max-age=31536000; includeSubDomains` with every answer over HTTPS.",
  references: { cwe: 319, owasp: "API8:2023" },
  passive: true,

  subjects: overTls,
  notApplicable: "The target is not reached over TLS.",

  async examine(_, probe) {
    const seen: (number | undefined)[] = [];
    // One answer with the header is enough for a browser to remember.
    for await (const reply of ordinaryReplies(probe, 3)) {
      if (isBlocked(reply)) continue;
      const seconds = maxAge(reply.headers["strict-transport-security"]);
      if (seconds !== undefined && seconds >= ENOUGH_SECONDS) return pass();
      seen.push(seconds);
    }
    if (seen.length === 0) return inconclusive(BLOCKED);
    const longest = Math.max(-1, ...seen.map((seconds) => seconds ?? -1));
    return fail(longest < 0 ? "No answer had the header." : `Its max-age was ${longest} seconds.`);
  },
});

const maxAge = (header: string | undefined): number | undefined => {
  const [, seconds] = /max-age\s*=\s*"?(\d+)/i.exec(header ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds);
};
