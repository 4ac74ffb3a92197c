import { randomBytes } from "node:crypto";
import { FrameReader, MAX_OUTCOME_BYTES, framedSize, type Outcome, type Report } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { aCheck, anOperation, aReply, aSurvey } from "../testing/samples.ts";
import { fail } from "./check.ts";
import { deliver } from "./delivery.ts";
import { evidenceOf } from "./evidence.ts";
import { findingOf } from "./finding.ts";
import { reportOf } from "./outcome.ts";

/** A report with this many findings, whose evidence does not compress. */
function aReport(findings: number): Report {
  const check = aCheck();
  const survey = aSurvey();
  const results = Array.from({ length: findings }, (_, index) => {
    const subject = anOperation({ path: `/${index}` });
    const reply = aReply({ body: randomBytes(1500).toString("base64") });
    const recorded = [{ role: "attack" as const, request: reply.request, reply }];
    const verdict = fail("Seen.") as ReturnType<typeof fail> & { outcome: "fail" };
    const evidence = evidenceOf(check.rule, recorded, recorded);
    return { check, subject, verdict, finding: findingOf({ check, subject, verdict, evidence }, survey) };
  });
  return reportOf({ checks: [check], results, survey, notes: [], requests: 1, durationMs: 1 });
}

function delivered(outcome: Outcome): Outcome {
  const reader = new FrameReader();
  for (const frame of deliver(outcome)) reader.line(JSON.stringify(frame));
  return reader.outcome();
}

describe("deliver", () => {
  it("delivers an ordinary report as it is", () => {
    const outcome = { status: "completed", report: aReport(3) } as const;
    expect(delivered(outcome)).toEqual(outcome);
  });

  it.each([400, 3_000])(
    "keeps a report of %d findings within what a log may carry, and says what it left out",
    (findings) => {
      const outcome = { status: "completed", report: aReport(findings) } as const;
      expect(framedSize(deliver(outcome))).toBeLessThanOrEqual(MAX_OUTCOME_BYTES);
      const arrived = delivered(outcome);
      expect(arrived).toMatchObject({ status: "completed", report: { score: outcome.report.score } });
      expect(arrived.status === "completed" && arrived.report.notes.length).toBeGreaterThan(0);
    },
  );
});
