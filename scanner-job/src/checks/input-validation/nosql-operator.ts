import { randomInt } from "node:crypto";
import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { insertingAs, insertionPoints, isNumeric } from "../../attacks/insertion-points.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { notReached } from "../../attacks/refusals.ts";
import { rowsOf } from "../../oracles/records.ts";
import type { Reply } from "../../transport/exchange.ts";

export default defineCheck({
  id: "input-validation/nosql-operator",
  category: "inputValidation",
  title: "NoSQL injection (operator injection)",
  severity: "high",
  confidence: "confirmed",
  description:
    "A parameter like `name[$ne]` reaches the database as an operator instead of a value. Attackers bypass filters and, if the log-in uses such a query, passwords.",
  rule: "`[$ne]` with a random value finds rows, `[$eq]` with one finds fewer or none, and both do so twice more when sent anew.",
  control: "The operator `[$eq]` with a random value.",
  remediation:
    "Check that each parameter is a plain value of its type before it is put into a query; let the query parser not build objects, and strip keys that begin with `$`.",
  references: {
    cwe: 943,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    insertionPoints(profile, ({ in: place, type }) => place === "query" && type !== "object"),
  notApplicable: "No read takes a parameter in its query.",

  async examine(point, probe) {
    const { name } = point.parameter;
    const value = isNumeric(point.parameter, "") ? String(randomInt(1e6, 1e9)) : probe.nonce();
    const asking = (operator: string) => insertingAs(probe, point, { name: `${name}[${operator}]`, value });

    const unequal = await probe.attack(await asking("$ne"));
    const unreached = notReached(unequal);
    if (unreached) return unreached;
    if (countOf(unequal) === 0) return pass();

    const equal = await probe.control(await asking("$eq"));
    if (!isSuccess(equal) || countOf(equal) >= countOf(unequal)) return pass();
    for (let repeat = 0; repeat < 2; repeat++) {
      const [unequalAgain, equalAgain] = [
        await probe.again(unequal.request),
        await probe.again(equal.request),
      ];
      if (countOf(unequalAgain) !== countOf(unequal) || countOf(equalAgain) !== countOf(equal))
        return inconclusive("The number of rows varies by itself.");
    }
    return fail(`[$ne] found ${countOf(unequal)} rows, [$eq] found ${countOf(equal)}.`);
  },
});

const countOf = (reply: Reply): number => (isSuccess(reply) ? (rowsOf(reply.json)?.length ?? 0) : 0);
