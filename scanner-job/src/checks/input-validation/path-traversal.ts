import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { inserting, insertionPoints } from "../../attacks/insertion-points.ts";
import { notReached } from "../../attacks/refusals.ts";
import type { Parameter } from "../../inventory/operation.ts";

const UP = "../../../../../../../..";

/** Files that every such system has, and what only they contain. */
const FILES = [
  { path: `${UP}/etc/passwd`, content: /\broot:[^:\s]{0,20}:0:0:/ },
  { path: `${UP}/windows/win.ini`, content: /; for 16-bit app support|\[mci extensions\]/i },
  { path: "/etc/passwd", content: /\broot:[^:\s]{0,20}:0:0:/ },
  { path: `${UP.replaceAll("../", "....//")}/etc/passwd`, content: /\broot:[^:\s]{0,20}:0:0:/ },
];

export default defineCheck({
  id: "input-validation/path-traversal",
  category: "inputValidation",
  title: "Path traversal / local file inclusion",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "The value becomes part of a file's path and climbs out of its directory. Callers read the files of the server: its source, settings and keys.",
  rule: "The answer has what only a well-known file of the operating system contains, and does not for a random file name in the same directory.",
  control: "A random file name in the same directory.",
  remediation:
    "Take names from a fixed list, or resolve the whole path and refuse it unless it is below the intended directory.",
  references: {
    cwe: 22,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => insertionPoints(profile, namesFile),
  notApplicable: "No read takes the name of a file.",

  async examine(point, probe) {
    for (const { path, content } of FILES) {
      const reply = await probe.attack(await inserting(probe, point, path));
      const unreached = notReached(reply);
      if (unreached) return unreached;
      if (!content.test(reply.body)) continue;
      const nobodys = path.replace(/[^/]+$/, probe.nonce());
      const control = await probe.control(await inserting(probe, point, nobodys));
      return content.test(control.body)
        ? inconclusive("The operation answers with that content whatever file is named.")
        : fail(`The content of ${path.replace(/^[./]*/, "/")} was in the answer.`);
    }
    return pass();
  },
});

const namesFile = ({ type, name, sample }: Parameter): boolean =>
  type === "string" && (FILE_NAME.test(name) || /^[\w/-]+\.[a-z]{2,4}$/i.test(sample));

const FILE_NAME =
  /file|path|dir(ectory)?$|folder|^doc(ument)?$|template|^page$|include|download|attachment|^report$|^log$|^lang(uage)?$|locale|theme|view|resource|asset|^(img|image|picture)$|^name$/i;
