import { reportSchema } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { aCheck, anOperation, aTargetProfile } from "../testing/samples.ts";
import { fail, inconclusive, notApplicable, pass } from "./check.ts";
import { testedIn } from "./coverage.ts";
import { findingOf, reportOf } from "./report.ts";
import type { Result } from "./result.ts";

const check = aCheck();
const [seen, unseen] = [anOperation({ path: "/seen" }), anOperation({ path: "/unseen" })];
const profile = aTargetProfile({ operations: [seen, unseen] });
const verdict = fail("Seen.") as ReturnType<typeof fail> & { outcome: "fail" };
const evidence = { rule: check.rule, exchanges: [], curl: "" };

const report = (results: readonly Result[]) =>
  reportOf({
    checks: [check],
    results,
    profile,
    tested: testedIn(profile, { results, reads: new Map() }, [check]),
    sideEffects: [],
    notes: ["A note."],
    requests: 7,
    durationMs: 12.5,
  });

describe("reportOf", () => {
  it("makes a report that the contract accepts", () => {
    const finding = findingOf({ check, subject: seen, verdict, evidence }, profile);
    expect(
      reportSchema.parse(report([{ check, subject: seen, verdict, reach: "reached", finding }])),
    ).toMatchObject({
      findings: [{ check: check.id, observed: finding.observed }],
    });
  });

  it("counts an operation as covered only when its handler responded", () => {
    const results = [
      { check, subject: seen, verdict: pass(), reach: "reached" as const },
      { check, subject: unseen, verdict: inconclusive("Silence."), reach: "failed" as const },
    ];
    expect(report(results).coverage.operations).toBe(0.5);
  });

  it("gives the reason why a category could not be assessed", () => {
    const { categories } = report([
      { check, subject: seen, verdict: inconclusive("Silence."), reach: "failed" },
    ]);
    expect(categories.authentication).toEqual({
      score: 100,
      findings: [],
      assessed: false,
      reason: "Silence.",
    });
    expect(categories.ssrf.reason).toBe("No check covers this category.");
  });

  it("counts the subjects that each reason left undecided, without those to which the check does not apply", () => {
    const verdicts = [
      inconclusive("Silence."),
      inconclusive("Blocked."),
      inconclusive("Blocked."),
      notApplicable("No."),
      pass(),
    ];
    const results = verdicts.map((each) => ({
      check,
      subject: seen,
      verdict: each,
      reach: "failed" as const,
    }));
    expect(report(results).checks[0]?.undecided).toEqual([
      { reason: "Blocked.", count: 2 },
      { reason: "Silence.", count: 1 },
    ]);
  });

  it("gives the reason why a check had no subjects", () => {
    expect(report([]).checks[0]).toMatchObject({
      passed: 0,
      failed: 0,
      inconclusive: 0,
      reasons: ["There is nothing of the kind."],
    });
  });
});
