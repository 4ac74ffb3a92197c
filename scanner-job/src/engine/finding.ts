import { createHash } from "node:crypto";
import type { Evidence, Finding, Location } from "@glovebox/contract";
import { severityIn, type Check, type Subject, type Verdict } from "./check.ts";
import { redactText } from "./redact.ts";
import type { TargetProfile } from "./target-profile.ts";

/** The finding that a check's failed verdict on a subject amounts to. */
export function findingOf(
  {
    check,
    subject,
    verdict,
    evidence,
  }: { check: Check; subject: Subject; verdict: Verdict & { outcome: "fail" }; evidence: Evidence },
  { context }: Pick<TargetProfile, "context">,
): Finding {
  const location = verdict.instead.location ?? subject.location;
  return {
    category: check.category,
    severity: verdict.instead.severity ?? severityIn(check, context),
    title: check.title,
    description: `${check.description} ${redactText(verdict.observed, 500)}`,
    remediation: check.remediation,
    id: findingId(check.id, location),
    check: check.id,
    confidence: verdict.instead.confidence ?? check.confidence,
    location,
    evidence,
    references: check.references,
  };
}

/** The same weakness at the same place has the same id in every scan. */
function findingId(checkId: string, { method, path, parameter }: Location): string {
  return createHash("sha256")
    .update(JSON.stringify([checkId, method, path, parameter ?? null]))
    .digest("hex")
    .slice(0, 16);
}
