import { assess } from "@glovebox/domain";
import { type Finding } from "@glovebox/contract";
import { type Outcome } from "@glovebox/scan-run";
import { WHOLLY_TESTED } from "@glovebox/domain/testing";

const finding: Finding = {
  id: "f-1",
  check: "encryption.hsts",
  category: "encryption",
  severity: "low",
  title: "No HSTS",
  description: 'The response has no "Strict-Transport-Security" header.\nLine two: ünïcødé \u2028.',
  remediation: "Send it.",
  confidence: "confirmed",
  location: { method: "GET", path: "/" },
  evidence: { rule: "absent", exchanges: [], curl: "curl -I https://example.com" },
  references: { cwe: 319 },
};

/** A small completed outcome, with text that JSON must escape. */
export function sampleOutcome(): Outcome {
  const { category, ...own } = finding;
  const { scoring, score, grade, categories, coverage } = assess({ findings: [finding], ...WHOLLY_TESTED });
  categories[category].findings = [own];
  const statistics = { requests: 12, operations: 1, durationMs: 345 };
  return {
    status: "completed",
    report: {
      score,
      grade,
      categories,
      findings: [finding],
      coverage,
      scoring,
      checks: [],
      notes: [],
      statistics,
    },
  };
}
