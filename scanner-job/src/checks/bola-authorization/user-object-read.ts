import { defineCheck } from "../../engine/check.ts";
import { hasCallerPairs, NO_CALLER_PAIRS, overCallerPairs } from "../../attacks/caller-pairs.ts";
import { examineForeignObjects, readsBelowIds } from "../../attacks/foreign-objects.ts";

export default defineCheck({
  id: "bola-authorization/user-object-read",
  kind: "comparison",
  category: "bolaAuthorization",
  title: "Broken object level authorization: object of another user readable (IDOR)",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "A user gets the object of another user by its ID. An attacker with an account can read the objects of all users.",
  rule: "A user gets the object that its owner sees, and the object names its owner or contains personal or secret data. Objects that name the other user, or that are in the other user's own lists, are shared.",
  control: "The other user gets no object for a nonexistent ID, and anonymous callers do not get the object.",
  remediation:
    "Check on every request that the object belongs to the caller, for example by selecting it by its ID and the caller's ID, and return 404 otherwise.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  cost: 6,
  subjects: (profile) =>
    hasCallerPairs(profile)
      ? readsBelowIds(profile).filter(({ idParameter }) => idParameter !== undefined)
      : [],
  notApplicable: `${NO_CALLER_PAIRS} Or no operation reads an object by its ID.`,

  examine: (operation, probe) =>
    overCallerPairs(probe, (callers) => examineForeignObjects(operation, callers, { probe, kind: "json" })),
});
