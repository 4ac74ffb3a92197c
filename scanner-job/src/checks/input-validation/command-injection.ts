import { calculating, type Expression } from "../../attacks/evaluation.ts";
import { defineInjection, type Point } from "../../attacks/injection.ts";
import { lettersOf } from "../../names.ts";
import type { Parameter } from "../../inventory/operation.ts";

export default defineInjection({
  id: "input-validation/command-injection",
  title: "OS command injection",
  severity: "critical",
  confidence: "confirmed",
  description:
    "The value becomes part of a shell command. An attacker can execute arbitrary commands on the server. The only command that was sent prints the product of two numbers.",
  rule: "The response contains the product of two random numbers that a shell command prints, twice with different numbers, and no product without the shell metacharacters.",
  control: "The multiplication without shell metacharacters.",
  remediation:
    "Start programs with an argument list and without a shell, validate values against an allowlist, or use a library instead.",
  references: {
    cwe: 78,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },

  cost: 2,
  language: "shell",
  into: ({ type }) => type === "string",
  prior: (parameter) => (isCommand(parameter) ? 3 : ARGUMENT.test(parameter.name) ? 2 : 0.5),
  notApplicable: "No read takes a string.",
  attempts: [
    calculating(inAnyQuotes(";")),
    calculating(({ a, b }) => `expr ${a} * ${b}`, { where: ({ parameter }: Point) => isCommand(parameter) }),
    calculating(({ a, b }) => `expr ${a} \\* ${b}`, {
      where: ({ parameter }: Point) => isCommand(parameter),
    }),
    calculating(inAnyQuotes("|"), { deep: true }),
    calculating(inAnyQuotes("\n"), { deep: true }),
    calculating(({ a, b }, baseValue) => `${baseValue}$(expr ${a} \\* ${b})`, { deep: true }),
    calculating(({ a, b }, baseValue) => `${baseValue}\`expr ${a} \\* ${b}\``, { deep: true }),
    // Windows: cmd.exe, and PowerShell.
    calculating(({ a, b }, baseValue) => `${baseValue}&set /a ${a}*${b}&"&set /a ${a}*${b}&`, { deep: true }),
    calculating(({ a, b }, baseValue) => `${baseValue};$(${a}*${b});'";$(${a}*${b})`, { deep: true }),
  ],
});

/** One command after another, wherever the value stands: bare, in single quotes or in double quotes. */
function inAnyQuotes(separator: string): Expression {
  return ({ a, b }, baseValue) => {
    const command = `${separator}echo $((${a}*${b})) #`;
    return `${baseValue}${command}'${command}"${command}`;
  };
}

/** The value is a command itself, by its name or its example. */
const isCommand = ({ name, sample }: Parameter): boolean =>
  /^(cmd|command|exec(ute)?|shell|run|process|script)$/.test(lettersOf(name)) ||
  /^(ls|cat|echo|ping|whoami|id|uname|pwd|ps|dir|date|uptime|df)( -| \/|$)/.test(sample);

/** What is handed to programs: hosts to reach, files to convert, options. */
const ARGUMENT =
  /^(host(name)?|ip(addr(ess)?)?|address|domain|server|cmd|command|exec(ute)?|run|args?|options?|flags?|file(name)?|path|dir(ectory)?|input|output|target|interface|device|format|branch|repo|tool|process|daemon|ping|query|service|arg|flag)$/i;
