import { defineInjection, type Attempt } from "../../attacks/injection.ts";
import { isNumeric, isScalar } from "../../attacks/insertion-points.ts";
import { newComplaint } from "../../signatures/language-errors.ts";

export default defineInjection({
  id: "input-validation/sql-error",
  title: "SQL injection (error-based)",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "A quote in the value brings back the database's complaint about the statement's syntax: the value became a part of the statement. Callers can read, and often change, everything in the database.",
  rule: "With one quote the answer has a database's syntax error, of a kind that it has neither with the ordinary value nor with a quote that is doubled (for numbers: with another number).",
  control: "The ordinary value, and the value with a doubled quote or another number.",
  remediation:
    "Pass values as parameters of prepared statements; check types before; return error messages of your own.",
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
  notApplicable: "No read takes a text or a number.",
  attempts: [
    breaking("'", "''", { where: (point) => !isNumeric(point) }),
    // In a statement a number stands without quotes, so that a doubled one is an error too.
    { ...breaking("'", ""), control: ({ ordinary }) => otherNumber(ordinary), where: isNumeric },
    breaking('"', '""', { deep: true }),
    breaking("\\", "\\\\", { deep: true }),
    breaking("')", "''", { deep: true }),
  ],
});

/** A sign that ends a text in SQL; the control is the sign as a part of the text. */
function breaking(sign: string, harmless: string, options: Partial<Attempt> = {}): Attempt {
  return {
    payload: ({ ordinary }) => ordinary + sign,
    control: ({ ordinary }) => ordinary + harmless,
    proof({ body }, _, usual) {
      const database = newComplaint("SQL", body, [usual.body]);
      return database && `The error is one of ${database}.`;
    },
    ...options,
  };
}

const otherNumber = (value: string): string => `${value.replace(/\D/g, "").slice(0, 6)}7`;
