import { defineCheck } from "../../engine/check.ts";
import { examineEvaluation } from "../../attacks/evaluation.ts";
import { insertionPoints } from "../../attacks/insertion-points.ts";

export default defineCheck({
  id: "input-validation/command-injection",
  category: "inputValidation",
  title: "OS command injection",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The value becomes part of a command line that a shell executes. Attackers can run programs on the server. The only command that was sent prints a product of two numbers.",
  rule: "The answer shows the product of two random numbers that a shell command prints, twice with different numbers, and no product when the shell metacharacters are missing.",
  control: "The multiplication without the signs of a shell.",
  remediation:
    "Start programs with a list of arguments and no shell, allow only values of a known form, or use a library instead of the program.",
  references: {
    cwe: 78,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },

  subjects: (profile) =>
    insertionPoints(profile, ({ type, name }) => type === "string" && ARGUMENT.test(name)),
  notApplicable: "No read takes a text that a program could be started with.",

  examine: (point, probe) =>
    examineEvaluation(probe, point, {
      expressions: [
        ({ a, b }, ordinary) => `${ordinary};echo $((${a}*${b}))`,
        ({ a, b }, ordinary) => `${ordinary}"|echo "$((${a}*${b}))`,
      ],
    }),
});

/** What is handed to programs: hosts to reach, files to convert, options. */
const ARGUMENT =
  /^(host(name)?|ip(addr(ess)?)?|address|domain|server|cmd|command|exec(ute)?|run|args?|options?|flags?|file(name)?|path|dir(ectory)?|input|output|target|interface|device|format|branch|repo|tool|process|daemon|ping|query)$/i;
