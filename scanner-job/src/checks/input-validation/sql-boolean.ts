import { randomInt } from "node:crypto";
import { examinePairs, findsSomething, undecidable, type Pair } from "../../attacks/differential.ts";
import { defineInjection, type Point } from "../../attacks/injection.ts";
import { isNumeric, isScalar } from "../../attacks/insertion-points.ts";
import { lettersOf, ofSameForm } from "../../names.ts";

export default defineInjection({
  id: "input-validation/sql-boolean",
  title: "SQL injection (boolean-based blind)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "A boolean condition in the value changes the response: the value becomes part of an SQL statement. An attacker can extract the database bit by bit, and often modify it.",
  rule: "An SQL expression that evaluates to the baseline value (a true condition, a calculation, a concatenation) gets the baseline response, and one of the same form with another value does not, in every one of several rounds with other numbers; only parts that are stable in three baseline responses are compared.",
  control:
    "An expression of the same form that evaluates to the baseline value, and the repeated baseline request.",
  remediation: "Use prepared statements with bound parameters for all values, and validate their types.",
  references: {
    cwe: 89,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 3,
  language: "SQL",
  into: isScalar,
  notApplicable: "No read takes a string or a number.",
  async examine(point, probe) {
    const found = await examinePairs(point, probe, PAIRS);
    return found ?? undecidable(point);
  },
});

const CONDITION = "A true condition got another response than a false one, in every round.";
const CALCULATION =
  "A calculation that evaluates to the baseline value got the baseline response, and another did not, in every round.";
const CONCATENATION =
  "A concatenation to the baseline value got the baseline response, and others did not, in every round.";

const isText = (point: Point): boolean => !isNumeric(point);
const isInteger = ({ baseValue }: Point): boolean => /^\d{1,9}$/.test(baseValue);
const findsNothing = (point: Point): boolean => !findsSomething(point);
const isDivisible = (point: Point): boolean => isText(point) && point.baseValue.length > 1;
const sorts = ({ parameter }: Point): boolean =>
  /^(sort|order)(by|field|column|dir(ection)?)?$/.test(lettersOf(parameter.name));

/** Two halves of a text with something between them. */
const split = (text: string, between: string): string => {
  const index = randomInt(1, text.length);
  return text.slice(0, index) + between + text.slice(index);
};
/**
 * Two halves that a database joins. Otherwise the same characters in an order that joins nothing, which a search that drops
 * them also takes for the base value; or another value of the same form.
 */
function joined(operator: string): Pair {
  const joints = (): string => `''${operator}`.repeat(randomInt(4));
  const join = (text: string): string => split(text, `'${operator}${joints()}'`);
  return {
    same: ({ baseValue }) => join(baseValue),
    different: ({ baseValue }) => split(baseValue, `${operator}${joints()}''`),
    third: ({ baseValue }) => join(ofSameForm(baseValue)),
    observed: CONCATENATION,
    deep: true,
    where: isDivisible,
  };
}
/** A condition after the base value, in these quotes. */
const and = (before: string, after: (n: number) => string, options: Partial<Pair> = {}): Pair => ({
  same: ({ baseValue, one }) => `${baseValue}${before}${one}${after(one)}`,
  different: ({ baseValue, one, other }) => `${baseValue}${before}${one}${after(other)}`,
  observed: CONDITION,
  ...options,
});
/** Where the base value finds nothing, a true condition finds something. */
const or = (before: string, after: (n: number) => string, options: Partial<Pair> = {}): Pair => ({
  same: ({ baseValue, one, other }) => `${baseValue}${before}${one}${after(other)}`,
  different: ({ baseValue, one }) => `${baseValue}${before}${one}${after(one)}`,
  observed: CONDITION,
  ...options,
});

const PAIRS: readonly Pair[] = [
  {
    same: ({ baseValue, one }) => `${Number(baseValue) + one}-${one}`,
    different: ({ baseValue, one, other }) => `${Number(baseValue) + one}-${other}`,
    observed: CALCULATION,
    where: isInteger,
  },
  and(" AND ", (n) => `=${n}`, { where: isNumeric }),
  and("' AND '", (n) => `'='${n}`),
  or(" OR ", (n) => `=${n}`, { where: (point) => isNumeric(point) && findsNothing(point) }),
  or("' OR '", (n) => `'='${n}`, { where: findsNothing }),
  {
    // A quote ends the text, two are a sign of it, which what only counts quotes does not know.
    same: ({ baseValue, one, other }) => `${baseValue}${one}${other}''`,
    different: ({ baseValue, one, other }) => `${baseValue}${one}'${other}`,
    third: ({ baseValue, one, other }) => `${baseValue}${one}'${other}'`,
    observed: "A quote caused a server error, and an escaped quote did not, in every round.",
    where: findsNothing,
    needs: ({ status }) => status >= 500,
  },
  {
    // Columns can be named by their number; there are none of these.
    same: ({ baseValue, one }) => `${baseValue},${"1".padStart(4 + (one % 5), "0")}`,
    different: ({ baseValue, one }) => `${baseValue},${String(one).padEnd(4 + (one % 5), "0")}`,
    observed:
      "Sorting by the first column was accepted, and by a nonexistent column was not, in every round.",
    where: sorts,
  },
  and("%' AND '", (n) => `'='${n}' AND '%'='`, { where: isText }),
  and('" AND "', (n) => `"="${n}`, { deep: true, where: isText }),
  and("') AND ('", (n) => `'='${n}`, { deep: true, where: isText }),
  joined("||"),
  joined("+"),
  joined(" "),
];
