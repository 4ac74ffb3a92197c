import { defineCheck } from "../../engine/check.ts";
import { examineEvaluation } from "../../attacks/evaluation.ts";
import { insertionPoints } from "../../attacks/insertion-points.ts";

export default defineCheck({
  id: "input-validation/template-injection",
  category: "inputValidation",
  title: "Server-side template injection (SSTI)",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The server evaluates template expressions in a value. In most of these languages that leads to files, settings and commands of the server.",
  rule: "The answer shows the product of two random numbers that were sent as a multiplication in template marks, again with other numbers, and shows none for the same without the marks.",
  control: "The multiplication without the marks of a template language.",
  remediation:
    "Pass values to templates as data and never as parts of their text; where users write templates, use an engine without logic.",
  references: {
    cwe: 1336,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => insertionPoints(profile, ({ type }) => type === "string"),
  notApplicable: "No read takes a text in its query or path.",

  // The marks of Jinja, Twig and Handlebars; of EL, FreeMarker and JavaScript; of Pug and Ruby; of ERB and EJS; of Razor.
  // One language may fail at another's marks: those of the commonest are then sent alone.
  examine: (point, probe) =>
    examineEvaluation(probe, point, {
      expressions: [
        ({ a, b }) => `x{{${a}*${b}}}x\${${a}*${b}}x#{${a}*${b}}x<%= ${a}*${b} %>x@(${a}*${b})x`,
        ({ a, b }) => `{{${a}*${b}}}`,
      ],
      goesOn: ({ status }) => status >= 500,
    }),
});
