import { defineBypass } from "../../attacks/bypass.ts";
import { guardedReads } from "../../attacks/subjects.ts";
import { versionOf, versionVariants } from "../../attacks/version-variants.ts";

export default defineBypass({
  id: "bfla-authorization/version-downgrade",
  category: "bflaAuthorization",
  title: "Authorization bypass through an old API version",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "firm",
  description:
    "The current version of the operation requires credentials, but an older version does not. An unauthenticated attacker can bypass authorization through the older version.",
  rule: "The operation is refused in its version, and the same path in an older version returns data, with the declared fields where there are any.",
  control:
    "The newer version is refused, and a nonexistent path in the older version gets a different response.",
  remediation:
    "Retire old versions, or enforce the same authentication and authorization for them as for the current one.",
  references: {
    cwe: 862,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => guardedReads(profile).filter((operation) => versionOf(operation) >= 2),
  notApplicable: "No read that requires credentials has a version above 1 in its path.",

  variants: (operation, refused, probe) =>
    versionVariants(operation, refused, { probe, versions: olderVersions(versionOf(operation)) }),
});

/** The two before, the nearest first. */
const olderVersions = (version: number): number[] => [version - 1, version - 2].filter((older) => older >= 1);
