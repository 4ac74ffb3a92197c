import { defineCheck } from "../../engine/check.ts";
import { hasCallerPairs, NO_CALLER_PAIRS, overCallerPairs } from "../../attacks/caller-pairs.ts";
import { examineForeignObjects, readsBelowIds } from "../../attacks/foreign-objects.ts";

export default defineCheck({
  id: "bola-authorization/user-child-read",
  kind: "comparison",
  category: "bolaAuthorization",
  title: "Broken object level authorization: child resources of another user's object readable",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "A user gets what belongs to an object of another user, such as the items of an order. The operation checks access to the object itself at most, and not to its child resources.",
  rule: "A user gets the child resources that the owner of the object sees, and the object or its child resources name the owner or contain personal or secret data.",
  control:
    "The other user gets nothing below a nonexistent ID, and anonymous callers do not get the child resources.",
  remediation:
    "Check access to the parent object in every operation below it, and that the child belongs to this parent.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 6,
  subjects: (profile) =>
    hasCallerPairs(profile)
      ? readsBelowIds(profile).filter(({ idParameter }) => idParameter === undefined)
      : [],
  notApplicable: `${NO_CALLER_PAIRS} Or no operation reads what belongs to an object.`,

  examine: (operation, probe) =>
    overCallerPairs(probe, (callers) => examineForeignObjects(operation, callers, { probe, kind: "json" })),
});
