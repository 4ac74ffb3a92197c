import type { CrashCheck } from "../../engine/check.ts";

export default {
  id: "rate-limiting/crash",
  kind: "crash",
  category: "rateLimiting",
  title: "Denial of service by a single request",
  severity: "high",
  confidence: "confirmed",
  description:
    "A single request terminates the application, by an unhandled exception or by memory exhaustion. An attacker can take the API down repeatedly with a few bytes.",
  rule: "The connection is lost at a request, together with other connections or the next request; the same happens twice when the request is sent again, alone.",
  control: "A benign request before it, also alone, gets a response and does not close other connections.",
  remediation:
    "Handle the exception where the input is parsed, reject such input with 400, and isolate failures so that a single request cannot end the process.",
  references: {
    cwe: 248,
    owasp: "API4:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N",
  },
  notApplicable: "No request of the scan crashed the target.",
} satisfies CrashCheck;
