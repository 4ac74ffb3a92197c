import type { CrashCheck } from "../../engine/check.ts";

export default {
  id: "rate-limiting/crash",
  kind: "crash",
  category: "rateLimiting",
  title: "Denial of service by a single request",
  severity: "high",
  confidence: "confirmed",
  description:
    "One request ends the application: an exception that nothing handles, or exhausted memory. Anyone can take the API out of service with a few bytes, again and again.",
  rule: "The connection is lost at a request, and other connections or the next request with it; the same happens twice when the request is sent again, alone.",
  control: "A harmless request before it, also alone, gets a response, and closes no other connection.",
  remediation:
    "Handle the exception where the input is parsed, reject such input with 400, and let one failed request end neither the process nor the requests of others.",
  references: {
    cwe: 248,
    owasp: "API4:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N",
  },
  notApplicable: "No request of the scan crashed the target.",
} satisfies CrashCheck;
