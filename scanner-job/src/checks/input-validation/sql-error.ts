import { defineInjection, type Attempt } from "../../attacks/injection.ts";
import { isNumeric, isScalar } from "../../attacks/insertion-points.ts";
import { newComplaint } from "../../signatures/language-errors.ts";

export default defineInjection({
  id: "input-validation/sql-error",
  title: "SQL injection (error-based)",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "A quote in the value causes an SQL syntax error: the value becomes part of an SQL statement. An attacker can read, and often modify, the whole database.",
  rule: "With a quote, the response contains a database syntax error of a kind that it lacks with the baseline value and with an escaped quote (for numbers: with another number).",
  control: "The baseline value, and the value with an escaped quote or another number.",
  remediation:
    "Use prepared statements with bound parameters for all values, and validate their types; return generic error messages.",
  references: {
    cwe: 89,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 2,
  opens: true,
  language: "SQL",
  into: isScalar,
  atSignIn: true,
  notApplicable: "No read takes a string or a number.",
  attempts: [
    breaking("'", "''", { where: (point) => !isNumeric(point) }),
    // In a statement a number stands without quotes, so that a doubled one is also an error.
    { ...breaking("'", ""), control: ({ baseValue }) => otherNumber(baseValue), where: isNumeric },
    breaking('"', '""', { deep: true }),
    breaking("\\", "\\\\", { deep: true }),
    breaking("')", "''", { deep: true }),
  ],
});

/** A sign that ends a text in SQL; the control is the sign as a part of the text. */
function breaking(sign: string, harmless: string, options: Partial<Attempt> = {}): Attempt {
  return {
    payload: ({ baseValue }) => baseValue + sign,
    control: ({ baseValue }) => baseValue + harmless,
    proof({ body }, _, baseline) {
      const database = newComplaint("SQL", body, [baseline.body]);
      return database && `The response contains an error message of ${database}.`;
    },
    ...options,
  };
}

const otherNumber = (value: string): string => `${value.replace(/\D/g, "").slice(0, 6)}7`;
