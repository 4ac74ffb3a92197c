import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { personalFields } from "../../signatures/personal-data.ts";
import { isPublicByNature } from "../../attacks/purpose.ts";
import { reads, spread } from "../../attacks/subjects.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck({
  id: "data-exposure/sensitive-answers-cacheable",
  kind: "passive",
  category: "dataExposure",
  title: "Cacheable sensitive response",
  severity: "low",
  confidence: "firm",
  description:
    "A response with personal data may be stored by shared caches or the browser. Another user of the same cache or device may receive it.",
  rule: "A successful response contains personal data, or the operation requires credentials, and no `no-store`, `private` or `no-cache` prevents that a cache gives it to others.",
  control: "None: the header itself is the proof.",
  remediation:
    "Send `Cache-Control: no-store` with every response that depends on the caller or contains personal data.",
  references: { cwe: 524, owasp: "API8:2023" },

  subjects: (profile) =>
    spread(reads(profile).filter(({ facts }) => facts.security !== "optional" && !isPublicByNature(facts))),
  notApplicable: "No read operation is known.",

  async examine(operation, probe) {
    const request = await probe.withRealIds(operation);
    const response = await probe.baseline(request);
    if (!isSuccess(response))
      return inconclusive("Without credentials there was no successful response to examine.");
    if (probe.profile.calibration.acceptsEverything && isNoBetterThan(await probe.missing(request), response))
      return inconclusive("Random nonexistent paths succeed too.");
    const { intimate, owned } = personalFields(response.json);
    const fields = [...intimate, ...owned];
    if (fields.length === 0 && operation.facts.security !== "required") return pass();
    if (isKeptFromCaches(response)) return pass();

    const control = response.headers["cache-control"];
    const holding =
      fields.length > 0 ? `It holds ${fields.slice(0, 4).join(", ")}` : "It requires credentials";
    return control && isStored(control)
      ? fail(`${holding}, and \`Cache-Control: ${control}\` allows caching.`)
      : fail(`${holding}, and no header prevents caching.`, { severity: "info" });
  },
});

/** What may not be reused without asking the server (`no-cache`, RFC 9111) is as good as not stored: the server decides for each caller. */
const isKeptFromCaches = ({ headers }: ProbeResponse): boolean =>
  /\b(no-store|private)\b|\bno-cache\b(?!\s*=)/i.test(headers["cache-control"] ?? "");

const isStored = (control: string): boolean => /\bpublic\b|\b(s-maxage|max-age)\s*=\s*"?[1-9]/i.test(control);
