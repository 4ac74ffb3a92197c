import { defineCheck } from "../../engine/check.ts";
import { hasCallerPairs, NO_CALLER_PAIRS, overCallerPairs } from "../../attacks/caller-pairs.ts";
import { examineForeignObjects, readsBelowIds } from "../../attacks/foreign-objects.ts";

export default defineCheck({
  id: "bola-authorization/user-file-read",
  kind: "comparison",
  category: "bolaAuthorization",
  title: "Broken object level authorization: file or export of another user downloadable",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "A user can download a file or an export of another user, such as an invoice, by its ID. Downloads are often served by a separate handler that does not check access.",
  rule: "A user gets the same content as its owner, and the content, or the owner's list, names the owner or contains personal data.",
  control:
    "The other user gets no such content for a nonexistent ID, and anonymous callers do not get the content.",
  remediation:
    "Check access to the object before its file is served, and use signed links that expire if another server serves it.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 2, // others ask for the same
  subjects: (profile) => (hasCallerPairs(profile) ? readsBelowIds(profile) : []),
  notApplicable: `${NO_CALLER_PAIRS} Or no operation reads something by an ID.`,

  examine: (operation, probe) =>
    overCallerPairs(probe, (callers) => examineForeignObjects(operation, callers, { probe, kind: "file" })),
});
