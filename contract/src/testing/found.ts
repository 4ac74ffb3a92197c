import type { Finding } from "../finding.ts";

let serial = 0;
/** A finding of its own check, by "severity confidence", such as "high firm". */
export const found = (short: string, more: Partial<Finding> = {}): Finding => {
  const [severity, confidence] = short.split(" ") as [Finding["severity"], Finding["confidence"]];
  serial += 1;
  return {
    category: "encryption",
    severity,
    confidence,
    id: `f-${serial}`,
    check: `check-${serial}`,
    title: "t",
    description: "d",
    remediation: "r",
    location: { method: "GET", path: "/" },
    evidence: { rule: "r", exchanges: [], curl: "curl" },
    references: {},
    ...more,
  };
};
