import { calculating } from "../../attacks/evaluation.ts";
import { defineInjection } from "../../attacks/injection.ts";
import { isRawBody } from "../../attacks/insertion-points.ts";

export default defineInjection({
  id: "input-validation/template-injection",
  title: "Server-side template injection (SSTI)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server evaluates template expressions in the value. In most template engines an attacker can read files and settings and execute commands on the server.",
  rule: "The response contains the product of two random numbers, sent as a multiplication in template syntax, twice with different numbers, and no product without the template syntax.",
  control: "The multiplication without template syntax.",
  remediation:
    "Pass values to templates as data, never as template source; where users write templates, use a logic-less engine.",
  references: {
    cwe: 1336,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },

  cost: 2,
  language: "template",
  into: ({ type }) => type === "string",
  prior: (parameter, { facts }) =>
    isRawBody(parameter) || TEMPLATE.test(parameter.name + facts.path) ? 2 : 0.8,
  notApplicable: "No read takes a string.",
  attempts: [
    // The marks of Jinja, Twig and Handlebars; of EL, FreeMarker and JavaScript; of Pug and Ruby; of ERB and EJS; of Razor.
    calculating(({ a, b }) => `x{{${a}*${b}}}x\${${a}*${b}}x#{${a}*${b}}x<%= ${a}*${b} %>x@(${a}*${b})x`),
    // One language may fail at another's marks: they are then sent alone.
    calculating(({ a, b }) => `{{${a}*${b}}}`, { deep: true }),
    calculating(({ a, b }) => `{{=${a}*${b}}}`, { deep: true }), // doT
    calculating(({ a, b }) => `\${${a}*${b}}`, { deep: true }),
    calculating(({ a, b }) => `<%= ${a}*${b} %>`, { deep: true }),
    calculating(({ a, b }) => `#{${a}*${b}}`, { deep: true }),
    calculating(({ a, b }) => `{${a}*${b}}`, { deep: true }), // Smarty, Latte
    calculating(({ a, b }) => `[[\${${a}*${b}}]]`, { deep: true }), // Thymeleaf
    calculating(({ a, b }) => `__\${${a}*${b}}__::x`, { deep: true }), // a view of Thymeleaf
    calculating(({ a, b }) => `#set($x=${a}*${b})\${x}`, { deep: true }), // Velocity
    calculating(({ a, b }) => `{{${a}|times:${b}}}`, { deep: true }), // Liquid
    calculating(({ a, b }) => `{% widthratio ${a} 1 ${b} %}`, { deep: true }), // Django
    calculating(({ a, b }) => `{@math key="${a}" method="multiply" operand="${b}"/}`, { deep: true }), // Dust
  ],
});

const TEMPLATE = /templ|render|preview|greet|message|subject|content|mail|invoice|format|view|page/i;
