import type { Finding } from "@glovebox/contract";
import type { Outputs } from "../trpc.ts";

type Triage = Outputs["scans"]["triage"];

/** A score without the findings that are accepted or false positives, and how many of them there are. */
export interface TriagedScore extends Pick<Triage["withoutMarked"], "score" | "grade"> {
  readonly count: number;
}

/** Undefined where no finding of the report is triaged: marks may be of findings that only other scans have. Pure. */
export function triagedScore(
  findings: readonly Pick<Finding, "id">[],
  { marks, withoutMarked }: Pick<Triage, "marks" | "withoutMarked">,
): TriagedScore | undefined {
  const count = findings.filter(({ id }) => Object.hasOwn(marks, id)).length;
  return count === 0 ? undefined : { ...withoutMarked, count };
}
