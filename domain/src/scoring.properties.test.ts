import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CATEGORY_KEYS,
  type Category,
  DOCUMENT_GAPS,
  CONFIDENCES,
  SEVERITIES,
  type Finding,
  type Instance,
  CONTEXTS,
  reportSchema,
  scoringSchema,
} from "@glovebox/contract";
import { decidedShare } from "./coverage.ts";
import { compareFindings, gravityOf, instancesOf } from "./findings.ts";
import { assess, rescore, type Assessment } from "./scoring.ts";
import { found } from "./testing/found.ts";

describe("any assessment", () => {
  const seen = fc.tuple(
    fc.constantFrom(...SEVERITIES),
    fc.constantFrom(...CONFIDENCES),
    fc.constantFrom(...CATEGORY_KEYS),
    fc.constantFrom("a", "b", "c"),
    fc.constantFrom("/", "/users"),
  );
  /** Of one instance, or of several of one cause, in one category or in several. */
  const finding = fc.array(seen, { minLength: 1, maxLength: 3 }).map((all) => {
    const [first, ...others] = all.map(([severity, confidence, category, check, path]) =>
      found(`${severity} ${confidence}`, { category, check, location: { method: "GET", path } }),
    );
    if (others.length === 0) return first!;
    const instances = [first!, ...others].flatMap(instancesOf) as [Instance, ...Instance[]];
    return { ...first!, instances, ...gravityOf(instances) };
  });
  const pairs = fc
    .tuple(fc.nat(30), fc.nat(30), fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }))
    .map(([decided, perimeter, share]) => ({
      ...{ applicable: decided + perimeter + 1, decided, perimeter },
      ...(share !== undefined && { share }),
    }));
  const assessment: fc.Arbitrary<Assessment> = fc.record({
    findings: fc.array(finding, { maxLength: 40 }),
    pairs: fc.dictionary(fc.constantFrom(...CATEGORY_KEYS), pairs),
    operations: fc.nat(9).map((reached) => ({ known: 10, decided: 10, callable: 10, reached })),
    reasons: fc.subarray(CATEGORY_KEYS).map((keys) => new Map(keys.map((key) => [key, "Not seen."]))),
    context: fc.constantFrom(undefined, ...CONTEXTS),
    documentGap: fc.constantFrom(undefined, ...DOCUMENT_GAPS),
    refusesNobody: fc.boolean(),
  });
  const property = (check: (given: Assessment, result: ReturnType<typeof assess>) => void) =>
    fc.assert(
      fc.property(assessment, (given) => check(given, assess(given))),
      { numRuns: 300 },
    );

  test("gives every category a whole score from 0 to 100, which is 100 if and only if it has no findings", () => {
    property((given, { categories }) => {
      expect(Object.keys(categories)).toEqual(CATEGORY_KEYS);
      for (const key of CATEGORY_KEYS) {
        const { score, findings } = categories[key];
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
        expect(score === 100).toBe(findings.length === 0);
        const own = given.findings.filter((each) =>
          instancesOf(each).some(({ category }) => category === key),
        );
        expect(findings).toHaveLength(own.length);
      }
    });
  });

  test("explains each category's score by deductions that add up, one for each finding that it has", () => {
    property((_, { categories, scoring }) => {
      expect(scoring.deductions.map(({ finding, category }) => `${category} ${finding}`).toSorted()).toEqual(
        CATEGORY_KEYS.flatMap((key) => categories[key].findings.map(({ id }) => `${key} ${id}`)).toSorted(),
      );
      for (const key of CATEGORY_KEYS) {
        const lost = scoring.deductions
          .filter(({ category }) => category === key)
          .reduce((sum, { points }) => sum + points, 0);
        expect(categories[key].score).toBe(Math.max(0, Math.round(100 - lost)));
      }
    });
  });

  test("any assessment has the weighted mean of the assessed categories as its score, rounded and limited", () => {
    property((_, { categories, score, scoring }) => {
      const weights = Object.entries(scoring.weights) as [Category, number][];
      const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
      const mean = weights.reduce((sum, [key, weight]) => sum + weight * categories[key].score, 0) / total;
      expect(scoring.weightedMean).toBeCloseTo(total === 0 ? 100 : mean, 9);
      const deducted = scoring.limits!.reduce((sum, limit) => sum + limit.deducted, 0);
      expect(score).toBe(Math.round(Number((scoring.weightedMean - deducted).toFixed(6))));
      expect(score).toBeLessThanOrEqual(scoring.cap?.points ?? 100);
    });
  });

  test("fits the report's schema, and never has an A on less than 75 % coverage", () => {
    property((_, { score, grade, categories, coverage, scoring }) => {
      const { success } = reportSchema
        .pick({ score: true, grade: true, categories: true, coverage: true })
        .safeParse({ score, grade, categories, coverage });
      expect(success && scoringSchema.safeParse(scoring).success).toBe(true);
      if (coverage.overall! < 0.75) expect(grade).not.toBe("A");
    });
  });

  test("knowing less never raises coverage or score, beyond what the findings that are lost with it had taken", () => {
    const kept = fc.record({
      shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 12, maxLength: 12 }),
      isFound: fc.func(fc.boolean()),
      reached: fc.double({ min: 0, max: 1, noNaN: true }),
      hasDocument: fc.boolean(),
      sawRefusal: fc.boolean(),
    });
    fc.assert(
      fc.property(assessment, kept, (given, { shares, isFound, reached, hasDocument, sawRefusal }) => {
        const isKept = ({ id }: Finding): boolean => isFound(id);
        const pairs = Object.fromEntries(
          Object.entries(given.pairs).map(([key, counts]) => [
            key,
            { ...counts, share: decidedShare(counts) * shares[CATEGORY_KEYS.indexOf(key as Category)]! },
          ]),
        );
        const less = assess({
          ...{ ...given, pairs, findings: given.findings.filter(isKept) },
          operations: { ...given.operations, reached: Math.floor(given.operations.reached * reached) },
          refusesNobody: given.refusesNobody || !sawRefusal,
          documentGap: given.documentGap ?? (hasDocument ? undefined : "missing"),
        });
        const full = assess(given);
        const report = { ...full, findings: given.findings.toSorted(compareFindings) };
        expect(less.coverage.overall).toBeLessThanOrEqual(full.coverage.overall!);
        expect(less.score).toBeLessThanOrEqual(rescore(report, isKept).score);
      }),
      { numRuns: 500 },
    );
  });

  test("any assessment does not depend on the order of the findings", () => {
    property((given, result) => {
      expect(assess({ ...given, findings: given.findings.toReversed() })).toEqual(result);
    });
  });

  test("keeps its score when it is scored again with all its findings", () => {
    property((given, verdict) => {
      const again = rescore({ ...verdict, findings: given.findings.toSorted(compareFindings) }, () => true);
      expect(again).toEqual({ score: verdict.score, grade: verdict.grade, scoring: verdict.scoring });
    });
  });

  test("scores without some findings as if they had not been reported", () => {
    property((given, verdict) => {
      const isCounted = ({ check }: Finding) => check !== "a";
      const without = assess({ ...given, findings: given.findings.filter(isCounted) });
      const findings = given.findings.toSorted(compareFindings);
      expect(rescore({ ...verdict, findings }, isCounted)).toMatchObject({
        score: without.score,
        grade: without.grade,
      });
    });
  });
});
