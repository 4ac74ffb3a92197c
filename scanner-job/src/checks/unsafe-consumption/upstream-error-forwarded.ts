import { defineCheck, fail, inconclusive, pass, type Verdict } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import type { ParameterSubject } from "../../attacks/subjects.ts";
import {
  inserting,
  insertingNonsense,
  insertionPoints,
  baseValueOf,
} from "../../attacks/insertion-points.ts";
import { BLOCKED, isBlocked, isSuccess } from "../../oracles/classify.ts";
import { upstreamErrorIn } from "../../signatures/error-messages.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";

export default defineCheck({
  id: "unsafe-consumption/upstream-error-forwarded",
  kind: "differential",
  category: "unsafeConsumption",
  title: "Upstream error message disclosure",
  severity: "low",
  confidence: "firm",
  description:
    "A response contains an error message of an upstream service or its HTTP client. An attacker learns which services are used, and that their responses are returned unvalidated.",
  rule: "The response to a nonexistent or a baseline value is an error message that only the upstream software writes.",
  control:
    "The response to a baseline value has no such message; otherwise the response to a nonexistent path has none.",
  remediation:
    "Catch upstream errors, log them, and return a generic error (502 or 404) that does not identify the upstream service.",
  references: { cwe: 209, owasp: "API10:2023" },

  cost: 1, // injections send the same
  subjects: (profile) => insertionPoints(profile),
  notApplicable: "No read with a parameter is known.",

  async examine(point, probe) {
    const request = await inserting(probe, point, await baseValueOf(probe, point));
    const baseline = await probe.control(request);
    if (isBlocked(baseline)) return inconclusive(BLOCKED);
    const baselineError = errorIn(baseline);
    if (baselineError !== undefined) return examineBaseline(baselineError, { point, request, probe });
    if (upstreamErrorIn(baseline.body)) return pass(); // a success that speaks of such errors

    const odd = await probe.attack(await insertingNonsense(probe, point));
    if (isBlocked(odd)) return inconclusive(BLOCKED);
    const service = errorIn(odd);
    return service === undefined ? pass() : fail(`The response contains an error message of ${service}.`);
  },
});

const errorIn = (response: ProbeResponse): string | undefined =>
  isSuccess(response) ? undefined : upstreamErrorIn(response.body);

/** Whether the operation alone forwards the error: a response that every path gets is from a gateway whose upstream is down. */
async function examineBaseline(
  service: string,
  { point, request, probe }: { point: ParameterSubject; request: ProbeRequest; probe: Probe },
): Promise<Verdict> {
  await probe.attack(request);
  if (errorIn(await probe.missing(request)) !== undefined)
    return inconclusive("Every path returns the error message of another service.");
  return fail(`A baseline request returns an error message of ${service}.`, {
    location: point.operation.location,
  });
}
