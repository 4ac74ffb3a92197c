import { defineInjection } from "../../attacks/injection.ts";
import { examineWaits, mayWait, type Wait } from "../../attacks/waiting.ts";

export default defineInjection({
  id: "input-validation/command-time",
  title: "OS command injection (time-based)",
  severity: "critical",
  confidence: "firm",
  description:
    "The server waits as long as a command in the value says, although it shows nothing of its output: the value becomes part of a command line that a shell executes. Attackers can run programs on the server.",
  rule: "Four answers to values that ask a shell for different waits, in random order, take as long as asked (within 150 ms), and the answers between them, which ask for no wait, take as long as ordinary ones; all of it twice.",
  control: "The same value with a wait of none, after each wait, and ordinary requests.",
  remediation:
    "Start programs with a list of arguments and no shell, allow only values of a known form, or use a library instead of the program.",
  references: {
    cwe: 78,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  },
  cost: 3,
  prior: () => 0.3,
  language: "shell",
  into: ({ type }) => type === "string",
  notApplicable: "No read takes a text.",
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
