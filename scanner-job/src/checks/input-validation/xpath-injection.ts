import { calculating } from "../../attacks/evaluation.ts";
import { examinePairs, findsSomething, undecidable, type Pair } from "../../attacks/differential.ts";
import { defineInjection, tryAttempts, type Attempt } from "../../attacks/injection.ts";
import { lettersOf } from "../../names.ts";
import type { Parameter } from "../../inventory/operation.ts";
import { newComplaint } from "../../signatures/language-errors.ts";

export default defineInjection({
  id: "input-validation/xpath-injection",
  title: "XPath injection",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The value becomes part of an XPath expression. An attacker can read the whole XML document, which often contains accounts and passwords, or bypass a login that uses the expression.",
  rule: "With a quote, the response contains an XPath error, which it lacks with the baseline value and with the other kind of quote; or an XPath condition controls the response, in every one of several rounds; or the response contains the product that an XPath expression calculates.",
  control: "The value without the quote, or with a condition that evaluates to the baseline value.",
  remediation: "Pass values as XPath variables, or reject quotes; never accept expressions from callers.",
  references: {
    cwe: 643,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 2,
  language: "XPath",
  into: ({ type }) => type === "string",
  prior: (parameter) => (isExpression(parameter) ? 3 : 0.8),
  notApplicable: "No read takes a string.",
  async examine(point, probe) {
    const found = (await tryAttempts(ATTEMPTS, point, probe)) ?? (await examinePairs(point, probe, PAIRS));
    return found ?? undecidable(point);
  },
});

/** The value is an expression itself, by its name or its example. */
const isExpression = ({ name, sample }: Parameter): boolean =>
  /^xpath/.test(lettersOf(name)) || /^\/{1,2}[\w*@]+(\/[\w*@.]+)+/.test(sample);

/** A quote that ends the text of the expression; the control is a letter. */
const ending = (quote: string): Attempt => ({
  payload: ({ baseValue }) => baseValue + quote,
  control: ({ baseValue }) => `${baseValue}a`,
  proof({ body }, _, baseline) {
    const software = newComplaint("XPath", body, [baseline.body]);
    return software && `The response contains an error message of ${software}.`;
  },
});

const ATTEMPTS: readonly Attempt[] = [
  ending("'"),
  { ...ending('"'), deep: true },
  calculating(({ a, b }) => `string(${a}*${b})`, { deep: true }),
];

const OBSERVED = "A condition in XPath syntax controlled the response, in every round.";

/** The name of the function has a sign of subtraction in SQL. */
const isLong = (letters: number, length: number): string =>
  `string-length('${"a".repeat(letters)}')=${length}`;
const lengthOf = (number: number): number => 10 + (number % 17);

const PAIRS: readonly Pair[] = [
  {
    same: ({ baseValue, one }) => `${baseValue}[${one}=${one}]`,
    different: ({ baseValue, one, other }) => `${baseValue}[${one}=${other}]`,
    observed: "A condition added to the expression controlled the response, in every round.",
    where: ({ parameter }) => isExpression(parameter),
  },
  {
    same: ({ baseValue, one }) =>
      `${baseValue}' and ${isLong(lengthOf(one), lengthOf(one))} and '${one}'='${one}`,
    different: ({ baseValue, one }) =>
      `${baseValue}' and ${isLong(lengthOf(one), lengthOf(one) + 1)} and '${one}'='${one}`,
    observed: OBSERVED,
    where: findsSomething,
  },
  {
    same: ({ baseValue, one, other }) =>
      `${baseValue}' or ${isLong(lengthOf(one), lengthOf(one) + 1)} or '${one}'='${other}`,
    different: ({ baseValue, one, other }) =>
      `${baseValue}' or ${isLong(lengthOf(one), lengthOf(one))} or '${one}'='${other}`,
    observed: OBSERVED,
  },
];
