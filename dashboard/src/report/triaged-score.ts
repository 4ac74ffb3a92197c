import type { CompletedScan, Grade } from "@glovebox/contract";
import { rescore } from "@glovebox/domain";
import type { Outputs } from "../trpc.ts";

/** A score without the findings that are accepted or false positives, and how many of them there are. */
export interface TriagedScore {
  readonly score: number;
  readonly grade: Grade;
  readonly count: number;
}

/** Undefined where no finding of the report is triaged: marks may be of findings that only other scans have. Pure. */
export function triagedScore(
  report: Pick<CompletedScan, "findings" | "categories" | "coverage" | "scoring">,
  { marks }: Pick<Outputs["scans"]["triage"], "marks">,
): TriagedScore | undefined {
  const isTriaged = ({ id }: { readonly id: string }): boolean => Object.hasOwn(marks, id);
  const count = report.findings.filter(isTriaged).length;
  if (count === 0) return undefined;
  const { score, grade } = rescore(report, (finding) => !isTriaged(finding));
  return { score, grade, count };
}
