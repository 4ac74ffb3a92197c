import { defineCheck, fail, inconclusive, pass, type Verdict } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import type { ParameterSubject } from "../../attacks/subjects.ts";
import {
  inserting,
  insertingNonsense,
  insertionPoints,
  ordinaryValue,
} from "../../attacks/insertion-points.ts";
import { BLOCKED, isBlocked, isSuccess } from "../../oracles/classify.ts";
import { upstreamErrorIn } from "../../signatures/error-messages.ts";
import type { ProbeRequest, Reply } from "../../transport/exchange.ts";

export default defineCheck({
  id: "unsafe-consumption/upstream-error-forwarded",
  kind: "differential",
  category: "unsafeConsumption",
  title: "Upstream error message disclosure",
  severity: "low",
  confidence: "firm",
  description:
    "An unusual value, or an ordinary one, brings back the error of the service behind the API or of its HTTP client. It discloses which services are used, and that their responses reach the caller unchecked.",
  rule: "The answer to a value that cannot exist, or to an ordinary one, is an error message that only the other software writes.",
  control:
    "The response to an ordinary value has no such message; where it has, that to a path that does not exist has none.",
  remediation:
    "Catch errors of upstream calls, log them, and answer with an error of your own (502 or 404) that names no service.",
  references: { cwe: 209, owasp: "API10:2023" },

  cost: 1, // injections send the same
  subjects: (profile) => insertionPoints(profile),
  notApplicable: "No read with a parameter is known.",

  async examine(point, probe) {
    const request = await inserting(probe, point, await ordinaryValue(probe, point));
    const ordinary = await probe.control(request);
    if (isBlocked(ordinary)) return inconclusive(BLOCKED);
    const usual = errorIn(ordinary);
    if (usual !== undefined) return examineOrdinary(usual, { point, request, probe });
    if (upstreamErrorIn(ordinary.body)) return pass(); // a success that speaks of such errors

    const odd = await probe.attack(await insertingNonsense(probe, point));
    if (isBlocked(odd)) return inconclusive(BLOCKED);
    const service = errorIn(odd);
    return service === undefined ? pass() : fail(`The error is one of ${service}.`);
  },
});

const errorIn = (reply: Reply): string | undefined =>
  isSuccess(reply) ? undefined : upstreamErrorIn(reply.body);

/** Whether the operation alone forwards the error: what every path is answered with is a gateway whose upstream is down. */
async function examineOrdinary(
  service: string,
  { point, request, probe }: { point: ParameterSubject; request: ProbeRequest; probe: Probe },
): Promise<Verdict> {
  await probe.attack(request);
  if (errorIn(await probe.missing(request)) !== undefined)
    return inconclusive("Every path is answered with the error of another service.");
  return fail(`An ordinary request is answered with an error of ${service}.`, {
    location: point.operation.location,
  });
}
