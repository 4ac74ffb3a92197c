import { defineInjection } from "../../attacks/injection.ts";
import { examineWaits, mayWait, type Wait } from "../../attacks/waiting.ts";

export default defineInjection({
  id: "input-validation/command-time",
  title: "OS command injection (time-based)",
  severity: "critical",
  confidence: "firm",
  description:
    "A shell command in the value delays the response: the value becomes part of a shell command. An attacker can execute arbitrary commands on the server, although their output is not returned.",
  rule: "Four responses to values that request different shell delays, in random order, take as long as requested (within 150 ms), and the responses in between, without a delay, take as long as the baseline; all of it twice.",
  control: "The same value without a delay, after each delay, and baseline requests.",
  remediation:
    "Start programs with an argument list and without a shell, validate values against an allowlist, or use a library instead.",
  references: {
    cwe: 78,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },
  cost: 3,
  prior: () => 0.3,
  language: "shell",
  into: ({ type }) => type === "string",
  notApplicable: "No read takes a string.",
  mustExamine: (point, probe) => mayWait(WAITS, point, probe),
  examine: (point, probe) => examineWaits(WAITS, point, probe),
});

const WAITS: readonly Wait[] = [
  {
    // Bare, in single quotes or in double quotes.
    name: "a shell",
    payload: (value, seconds) => `${value};sleep ${seconds} #';sleep ${seconds} #";sleep ${seconds} #`,
  },
  { name: "a shell", payload: (value, seconds) => `${value}$(sleep ${seconds})` },
];
