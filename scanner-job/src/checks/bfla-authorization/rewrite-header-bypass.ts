import { defineBypass } from "../../attacks/bypass.ts";
import { disguised } from "../../attacks/bypasses.ts";
import { guardedReadsByPrivilege } from "../../attacks/subjects.ts";

export default defineBypass({
  id: "bfla-authorization/rewrite-header-bypass",
  category: "bflaAuthorization",
  title: "401/403 bypass by header or path normalization",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "The access control in front of the application and the application itself parse the request differently. An attacker can bypass a 401 or 403 with a path in a header, a spoofed client address or a different spelling of the path.",
  rule: "With the bypass, a refused operation returns JSON data that differs from the refusal, the start page and the response of the bypass elsewhere.",
  control:
    "The operation without the bypass is refused, and the same bypass with a nonexistent path returns different content.",
  remediation:
    "Authorize in the application instead of by path rules in front of it. Remove `X-Original-URL`, `X-Rewrite-URL` and client-supplied `X-Forwarded-*` headers at the edge, and normalize paths before applying rules.",
  references: {
    cwe: 863,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: guardedReadsByPrivilege,
  notApplicable: "No read operation requires credentials.",

  variants: (_, refused, probe) => disguised(refused, probe),
});
