import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { isSuccess, withoutMeaning } from "../../oracles/classify.ts";
import { baselineResponses, theHost } from "../../attacks/subjects.ts";
import type { Probe } from "../../engine/probe.ts";
import { throttlingIn } from "../../oracles/throttling.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";

/** Requests of the burst in each of the two examinations: few enough for any target. A limit above it is not detected. */
const BURST = 20;

/** Says what was not observed, and never that there is no limit. */
export default defineCheck({
  id: "rate-limiting/bounded-burst",
  kind: "burst",
  category: "rateLimiting",
  title: "No rate limiting observed",
  severity: { default: "low", public: "medium", financial: "medium" },
  confidence: "tentative",
  description:
    "Many unauthenticated requests in a row were not throttled. An attacker can scrape data or exhaust the service at network speed.",
  rule: `${BURST} identical reads in a row all succeed: no 429, no 503, no growing delay, no header that counts down.`,
  control: "The same read, sent once before the burst, succeeds.",
  remediation:
    "Limit requests per client at the gateway (for example a token bucket per key or address), and return 429 with `Retry-After`.",
  references: {
    cwe: 770,
    owasp: "API4:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:L/SC:N/SI:N/SA:N",
  },

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  async examine(_, probe) {
    const request = await cheapestRead(probe);
    if (!request) return inconclusive("No read succeeded, so none could be repeated.");
    const single = await probe.again(request);
    if (single.status === 429) return pass();
    if (!isSuccess(single))
      return inconclusive(withoutMeaning(single) ?? `A single read returned status ${single.status}.`);

    const responses: ProbeResponse[] = [];
    await probe.burst(
      () => request,
      BURST,
      (response) => {
        responses.push(response);
        return throttlingIn(responses) !== undefined || !isSuccess(response);
      },
    );
    if (throttlingIn(responses)) return pass();
    const last = responses.at(-1)!;
    if (!isSuccess(last))
      return inconclusive(`After ${responses.length} requests the target returned status ${last.status}.`);
    return fail(
      `No throttling was observed within ${responses.length} requests to ${new URL(last.request.url).pathname}.`,
    );
  },
});

async function cheapestRead(probe: Probe): Promise<ProbeRequest | undefined> {
  const responses: ProbeResponse[] = [];
  for await (const response of baselineResponses(probe, 6)) if (isSuccess(response)) responses.push(response);
  return responses.toSorted((a, b) => a.body.length - b.body.length)[0]?.request;
}
