import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import {
  inserting,
  insertingNonsense,
  insertionPoints,
  ordinaryValue,
} from "../../attacks/insertion-points.ts";
import { BLOCKED, isBlocked, isSuccess } from "../../oracles/classify.ts";
import { upstreamErrorIn } from "../../signatures/error-messages.ts";

export default defineCheck({
  id: "unsafe-consumption/upstream-error-forwarded",
  category: "unsafeConsumption",
  title: "Upstream error message disclosure",
  severity: "low",
  confidence: "firm",
  description:
    "An unusual value brings back the error of the service behind the API or of its HTTP client. It discloses which services are used, and that their responses reach the caller unchecked.",
  rule: "The answer to a value that cannot exist is an error message that only the other software writes.",
  control: "The response to an ordinary value has no such message.",
  remediation:
    "Catch errors of upstream calls, log them, and answer with an error of your own (502 or 404) that names no service.",
  references: { cwe: 209, owasp: "API10:2023" },

  cost: 1, // injections send the same
  subjects: (profile) => insertionPoints(profile),
  notApplicable: "No read with a parameter is known.",

  async examine(point, probe) {
    const ordinary = await probe.control(await inserting(probe, point, await ordinaryValue(probe, point)));
    if (isBlocked(ordinary)) return inconclusive(BLOCKED);
    if (upstreamErrorIn(ordinary.body))
      return inconclusive("An ordinary request is answered with the error of another service.");

    const odd = await probe.attack(await insertingNonsense(probe, point));
    if (isBlocked(odd)) return inconclusive(BLOCKED);
    const service = isSuccess(odd) ? undefined : upstreamErrorIn(odd.body);
    return service === undefined ? pass() : fail(`The error is one of ${service}.`);
  },
});
