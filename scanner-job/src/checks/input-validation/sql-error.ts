import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { syntaxError } from "../../signatures/error-messages.ts";
import { inserting, insertionPoints, isNumeric, ordinaryValue } from "../../attacks/insertion-points.ts";
import { notReached } from "../../attacks/refusals.ts";

export default defineCheck({
  id: "input-validation/sql-error",
  category: "inputValidation",
  title: "SQL injection (error-based)",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "A quote in the value brings back the database's complaint about the statement's syntax: the value became a part of the statement. Callers can read, and often change, everything in the database.",
  rule: "With one quote the answer has a database's syntax error, which it has neither with the ordinary value nor with a quote that is doubled (for numbers: with another number).",
  control: "The ordinary value, and the value with a doubled quote or another number.",
  remediation:
    "Pass values as parameters of prepared statements; check types before; return error messages of your own.",
  references: {
    cwe: 89,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => insertionPoints(profile, ({ type }) => type !== "boolean" && type !== "object"),
  notApplicable: "No read takes a parameter in its query or an id in its path.",

  async examine(point, probe) {
    const value = await ordinaryValue(probe, point);
    const send = async (role: "attack" | "control" | "baseline", text: string) =>
      probe[role](await inserting(probe, point, text));

    const odd = await send("attack", `${value}'`);
    const database = syntaxError(odd.body);
    if (!database) return notReached(odd) ?? pass();
    const ordinary = await send("baseline", value);
    // In a statement a number stands without quotes, so that a doubled one is an error too.
    const even = await send("control", isNumeric(point.parameter, value) ? otherNumber(value) : `${value}''`);
    return syntaxError(ordinary.body) || syntaxError(even.body)
      ? inconclusive("The operation answers ordinary values with a database's error too.")
      : fail(`The error is one of ${database}.`);
  },
});

const otherNumber = (value: string): string => `${value.replace(/\D/g, "").slice(0, 6)}7`;
