import { randomBytes } from "node:crypto";
import { MAX_OUTCOME_BYTES, framedSize, type Outcome } from "@glovebox/scan-run";
import { assess } from "@glovebox/domain";
import { type Report } from "@glovebox/contract";
import { WHOLLY_TESTED } from "@glovebox/domain/testing";
import { outcomeOf } from "@glovebox/scan-run/testing";
import { describe, expect, it } from "vitest";
import { aCheck, anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import { fail } from "./check.ts";
import { testedIn } from "./coverage.ts";
import { deliver } from "./delivery.ts";
import { evidenceOf } from "./evidence.ts";
import { findingOf, reportOf } from "./report.ts";

/** A report with this many findings, or with one at this many locations, whose evidence does not compress. */
function aReport(count: number, of: "findings" | "places" = "findings"): Report {
  const profile = aTargetProfile();
  const results = Array.from({ length: count }, (_, index) => {
    const check = aCheck(of === "findings" ? { id: `authentication/sample-${index}` } : {});
    const subject = anOperation({ path: `/${index}` });
    const response = aResponse({ body: randomBytes(1500).toString("base64") });
    const recorded = [{ role: "attack" as const, request: response.request, response }];
    const verdict = fail("Seen.") as ReturnType<typeof fail> & { outcome: "fail" };
    const evidence = evidenceOf(check, recorded, recorded);
    const finding = findingOf({ check, subject, verdict, evidence }, profile);
    return { check, subject, verdict, reach: "reached" as const, finding };
  });
  const tested = testedIn(profile, { results, reads: new Map() }, []);
  return reportOf({
    checks: [],
    results,
    profile,
    tested,
    sideEffects: [],
    notes: [],
    requests: 1,
    durationMs: 1,
  });
}

function delivered(outcome: Outcome): Outcome {
  return outcomeOf(deliver(outcome).map((frame) => JSON.stringify(frame)));
}

describe("deliver", () => {
  it("delivers a normal report as it is", () => {
    const outcome = { status: "completed", report: aReport(3) } as const;
    expect(delivered(outcome)).toEqual(outcome);
  });

  it.each([400, 3_000])(
    "keeps a report of %d findings within the size limit of a log, and notes what it left out",
    (findings) => {
      const outcome = { status: "completed", report: aReport(findings) } as const;
      expect(framedSize(deliver(outcome))).toBeLessThanOrEqual(MAX_OUTCOME_BYTES);
      const arrived = delivered(outcome);
      expect(arrived).toMatchObject({ status: "completed", report: { score: outcome.report.score } });
      expect(arrived.status === "completed" && arrived.report.notes.length).toBeGreaterThan(0);
    },
  );

  it.each([
    [100, 100],
    [8_000, 500],
  ])(
    "deliver of one finding at %d locations lists %d, each with its command, and counts all in the score",
    (count, listed) => {
      const report = aReport(count, "places");
      const arrived = delivered({ status: "completed", report });
      if (arrived.status === "failed") throw new Error(arrived.failure.message);
      const [finding] = arrived.report.findings;
      expect(finding!.instances).toHaveLength(listed);
      expect(finding!.instances!.every(({ evidence }) => evidence.curl.startsWith("curl"))).toBe(true);
      expect(arrived.report.scoring.deductions).toMatchObject([{ places: count }]);
      expect(arrived.report.notes.some((note) => note.includes(`of up to ${count}`))).toBe(listed < count);
    },
  );

  /** Of two categories, one of which has a single finding, the very last. */
  const inTwoCategories = (findings: number, description: () => string): Report => {
    const { findings: all, ...rest } = aReport(findings);
    const changed = all.map((finding, index) => ({
      ...finding,
      description: description(),
      category: index === all.length - 1 ? ("ssrf" as const) : ("encryption" as const),
    }));
    const { categories, score, grade, scoring } = assess({ findings: changed, ...WHOLLY_TESTED });
    return { ...rest, categories, score, grade, scoring, findings: changed };
  };
  const reportThatArrives = (report: Report): Report => {
    const arrived = delivered({ status: "completed", report });
    if (arrived.status === "failed") throw new Error(arrived.failure.message);
    return arrived.report;
  };

  it.each([
    [500, 700, 600],
    [100, 250, 3_000],
  ])(
    "lists %d of %d findings where more do not fit, and one of each category, and notes the total",
    (listed, found, size) => {
      const report = inTwoCategories(found, () => randomBytes(size).toString("base64"));
      const { findings, categories, notes, scoring } = reportThatArrives(report);
      expect(findings).toHaveLength(listed + 1);
      expect(categories.ssrf.findings).toHaveLength(1);
      expect(categories.encryption.findings).toHaveLength(listed);
      expect(notes).toContain(
        `Only ${listed + 1} of ${found} findings are listed, because the report was too large; the scores count all of them.`,
      );
      expect(scoring).toEqual(report.scoring);
    },
  );

  it("lists one finding of each category, cut short, where even twenty do not fit", () => {
    const report = inTwoCategories(60, () => randomBytes(20_000).toString("base64"));
    const noisy = {
      ...report,
      notes: Array.from({ length: 2_000 }, () => randomBytes(500).toString("base64")),
    };
    const { findings, categories, notes, score } = reportThatArrives(noisy);
    expect(findings.map(({ category }) => category)).toEqual(["encryption", "ssrf"]);
    expect([categories.ssrf.findings.length, categories.encryption.findings.length]).toEqual([1, 1]);
    expect(score).toBe(report.score);
    expect(notes.at(-1)).toMatch(/^Only 2 of 60 findings/);
  });

  it("leaves bodies out of a report that compresses well and yet is more than a reader inflates", () => {
    const whole = aReport(1_000);
    const body = "a".repeat(8_000);
    const findings = whole.findings.map((finding) => {
      const exchanges = finding.evidence.exchanges.map((exchange) => ({
        ...exchange,
        response: { ...exchange.response, body },
      }));
      return { ...finding, evidence: { ...finding.evidence, exchanges } };
    });
    const { categories } = assess({ findings, ...WHOLLY_TESTED });
    const arrived = reportThatArrives({ ...whole, findings, categories });
    expect(arrived.findings).toHaveLength(1_000);
    expect(arrived.notes[0]).toMatch(/^Bodies were left out/);
  });

  it("leaves exchanges out of a small report whose headers are more values than a reader takes", () => {
    const whole = aReport(1_000);
    const headers = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`x${at}`, ""]));
    const findings = whole.findings.map((finding) => {
      const exchanges = finding.evidence.exchanges.map((exchange) => ({
        ...exchange,
        response: { status: 200, headers, body: "" },
      }));
      return { ...finding, evidence: { ...finding.evidence, exchanges } };
    });
    const { categories } = assess({ findings, ...WHOLLY_TESTED });
    const arrived = reportThatArrives({ ...whole, findings, categories });
    expect(arrived.findings).toHaveLength(1_000);
    expect(arrived.notes[0]).toMatch(/^The evidence was reduced/);
  });
});
