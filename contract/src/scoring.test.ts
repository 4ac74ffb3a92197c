import { describe, expect, test } from "vitest";
import { CATEGORY_KEYS, type Category } from "./categories.ts";
import type { Finding } from "./finding.ts";
import { CONTEXTS } from "./context.ts";
import { CONTEXT_MULTIPLIERS, WEIGHTS, assess, gradeOf, type Assessment } from "./scoring.ts";
import { found } from "./testing/found.ts";

const FULL = { categories: 1, operations: 1 };
const verdict = (findings: Finding[], more: Partial<Assessment> = {}) =>
  assess({ findings, unassessed: new Map(), coverage: FULL, ...more });

describe("the score of a category", () => {
  test.each([
    [["critical confirmed"], 40],
    [["critical firm"], 52],
    [["critical tentative"], 76],
    [["high confirmed"], 70],
    [["high firm"], 76],
    [["medium confirmed"], 88],
    [["medium tentative"], 95],
    [["low confirmed"], 96],
    [["low tentative"], 98],
    [["info confirmed"], 99],
    [["info tentative"], 99],
    [["critical confirmed", "high confirmed"], 10],
    [["critical confirmed", "critical confirmed"], 0],
    [Array<string>(20).fill("critical confirmed"), 0],
    [[], 100],
  ])("with %j of different checks is %i", (shorts, score) => {
    expect(verdict(shorts.map((short) => found(short))).categories.encryption.score).toBe(score);
  });

  test.each([
    [["high confirmed", "high confirmed"], 61],
    [["high confirmed", "high confirmed", "high confirmed"], 58],
    [["high confirmed", "high confirmed", "high confirmed", "high confirmed"], 55],
    [["info confirmed", "critical confirmed"], 40],
    [["info confirmed", "info confirmed"], 99],
  ])("with %j of one check is %i", (shorts, score) => {
    const findings = shorts.map((short) => found(short, { check: "one" }));
    expect(verdict(findings).categories.encryption.score).toBe(score);
    expect(verdict(findings.toReversed()).categories.encryption.score).toBe(score);
  });

  test("counts one check's instances per category, so that each category with a finding is below 100", () => {
    const findings = [
      found("info confirmed", { check: "one" }),
      found("info confirmed", { check: "one", category: "ssrf" }),
    ];
    const { encryption, ssrf } = verdict(findings).categories;
    expect([encryption.score, ssrf.score]).toEqual([99, 99]);
  });
});

describe("an unassessed category", () => {
  const unassessed = new Map<Category, string>([["llmSecurity", "No model was found."]]);

  test("has score 100, no findings and the reason, and no weight", () => {
    const { categories, scoring } = verdict([], { unassessed });
    expect(categories.llmSecurity).toEqual({
      score: 100,
      findings: [],
      assessed: false,
      reason: "No model was found.",
    });
    expect(scoring.weights).not.toHaveProperty("llmSecurity");
  });

  test("is left out of the mean", () => {
    const all = new Map(
      CATEGORY_KEYS.filter((key) => key !== "encryption").map((key) => [key, "Not seen."] as const),
    );
    expect(verdict([found("high firm")], { unassessed: all }).score).toBe(76);
  });

  test("counts as assessed when something was found in it after all", () => {
    const { categories } = verdict([found("low confirmed", { category: "llmSecurity" })], { unassessed });
    expect(categories.llmSecurity).toMatchObject({ score: 96 });
    expect(categories.llmSecurity).not.toHaveProperty("assessed");
  });

  test("of every kind leaves 100, and no A for want of coverage", () => {
    const none = new Map(CATEGORY_KEYS.map((key) => [key, "Blocked."] as const));
    const result = verdict([], { unassessed: none, coverage: { categories: 0, operations: 0 } });
    expect([result.score, result.grade]).toEqual([100, "B"]);
  });
});

describe("the cap", () => {
  const spread = (...shorts: string[]) =>
    verdict(shorts.map((short, index) => found(short, { category: CATEGORY_KEYS[11 - index]! }))).scoring.cap
      ?.points ?? null;

  test.each([
    [["critical confirmed"], 49],
    [["critical confirmed", "high confirmed", "high confirmed", "high confirmed"], 49],
    [["critical firm"], null],
    [["high confirmed"], 79],
    [["high confirmed", "high confirmed"], 79],
    [["high confirmed", "high confirmed", "high confirmed"], 64],
    [["high confirmed", "high confirmed", "high firm"], 79],
    [["high tentative", "high firm"], null],
    [["medium confirmed"], null],
    [[], null],
  ])("for %j is %s", (shorts, points) => {
    expect(spread(...shorts)).toBe(points);
  });

  test.each([
    ["critical confirmed", 49, "F"],
    ["high confirmed", 79, "C"],
    ["high firm", 99, "A"],
  ])("holds the score of a scan with one %s at %i: %s", (short, score, grade) => {
    const result = verdict([found(short, { category: "unsafeConsumption" })]);
    expect([result.score, result.grade]).toEqual([score, grade]);
  });
});

describe("gradeOf", () => {
  test.each([
    [100, "A"],
    [90, "A"],
    [89, "B"],
    [80, "B"],
    [79, "C"],
    [70, "C"],
    [69, "D"],
    [60, "D"],
    [59, "F"],
    [0, "F"],
  ])("%i is %s", (score, grade) => {
    expect(gradeOf(score, FULL)).toBe(grade);
  });

  test.each([
    [0.4, 0.4, "A"],
    [0.39, 1, "B"],
    [1, 0.39, "B"],
    [0, 0, "B"],
  ])(
    "a score of 95 with %d of the categories and %d of the operations seen is %s",
    (categories, operations, grade) => {
      expect(gradeOf(95, { categories, operations })).toBe(grade);
    },
  );

  test("that is held down by coverage comes with the reason, and no other does", () => {
    const thin = { categories: 1, operations: 0.39 };
    expect(verdict([], { coverage: thin }).scoring.gradeCap).toEqual({
      grade: "B",
      reason: "less than 40 % of the API could be assessed",
    });
    expect(verdict([]).scoring.gradeCap).toBeUndefined();
    expect(verdict([found("critical confirmed")], { coverage: thin }).scoring.gradeCap).toBeUndefined();
  });

  test("of a worse score does not suffer from thin coverage", () => {
    expect(gradeOf(85, { categories: 0, operations: 0 })).toBe("B");
    expect(gradeOf(10, { categories: 0, operations: 0 })).toBe("F");
  });
});

describe("the context", () => {
  test.each(CONTEXTS)("%s multiplies the weights as the table says", (context) => {
    const { weights } = verdict([], { context }).scoring;
    for (const key of CATEGORY_KEYS)
      expect(weights[key]).toBe(WEIGHTS[key] * (CONTEXT_MULTIPLIERS[context][key] ?? 1));
  });

  test("financial weighs object authorization more, internal weighs rate limiting less", () => {
    const score = (category: Category, context?: Assessment["context"]) =>
      verdict([found("critical firm", { category })], { context }).scoring.weightedMean;
    expect(score("bolaAuthorization", "financial")).toBeLessThan(score("bolaAuthorization"));
    expect(score("rateLimiting", "internal")).toBeGreaterThan(score("rateLimiting"));
    expect(score("rateLimiting", "public")).toBe(score("rateLimiting"));
  });
});
