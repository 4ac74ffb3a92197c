import { calculating } from "../../attacks/evaluation.ts";
import { defineInjection } from "../../attacks/injection.ts";
import { lettersOf } from "../../names.ts";

export default defineInjection({
  id: "input-validation/code-injection",
  title: "Code injection",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server evaluates the value as code of its programming language. An attacker can execute arbitrary code in the process of the API.",
  rule: "The response contains the product of two random numbers, calculated and converted to text by an expression of a programming language, twice with different numbers, and no product for the bare multiplication.",
  control: "The bare multiplication, as a calculator would evaluate it.",
  remediation:
    "Never evaluate user input (`eval`, `Function`, `exec`, `vm`); use a dedicated parser for the expected format.",
  references: {
    cwe: 94,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },
  cost: 3,
  into: ({ type }) => type === "string",
  prior: ({ name }) => (CODE.test(lettersOf(name)) ? 2 : 0.4),
  notApplicable: "No read takes a string.",
  attempts: [
    calculating(({ a, b }) => `[${a}*${b}].join()`), // JavaScript
    calculating(({ a, b }) => `str(${a}*${b})`, { deep: true }), // Python
    calculating(({ a, b }) => `strval(${a}*${b})`, { deep: true }), // PHP
    calculating(({ a, b }) => `(${a}*${b}).to_s`, { deep: true }), // Ruby
    calculating(({ a, b }, baseValue) => `${baseValue}'+(${a}*${b})+'`, { deep: true }), // JavaScript, in quotes
    calculating(({ a, b }, baseValue) => `${baseValue}"+(${a}*${b})+"`, { deep: true }),
    calculating(({ a, b }, baseValue) => `${baseValue}'+str(${a}*${b})+'`, { deep: true }), // Python
    calculating(({ a, b }, baseValue) => `${baseValue}'.(${a}*${b}).'`, { deep: true }), // PHP, Perl
  ],
});

const CODE =
  /^(code|eval|expr(ession)?|formula|script|function|js|python|calc(ulation)?|compute|rule|condition|filter)$/;
