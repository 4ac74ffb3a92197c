import { describe, expect, test } from "vitest";
import { CATEGORY_KEYS, type Category, type Finding, CONTEXTS, type PairCounts } from "@glovebox/contract";
import { instancesOf } from "./findings.ts";
import { assess, gradeOf, type Assessment } from "./scoring.ts";
import { CONTEXT_MULTIPLIERS, WEIGHTS } from "./weights.ts";
import { WHOLLY_TESTED, found, equalPairs } from "./testing/found.ts";

const verdict = (findings: Finding[], more: Partial<Assessment> = {}) =>
  assess({ findings, ...WHOLLY_TESTED, ...more });
const decided = (share: number, perimeter = 0): PairCounts => ({
  applicable: 100,
  decided: share * 100,
  perimeter,
});
const without = (...left: Category[]): Assessment["pairs"] =>
  Object.fromEntries(Object.entries(WHOLLY_TESTED.pairs).filter(([key]) => !left.includes(key as Category)));

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
  ])("the score of a category with %j of different checks is %i", (shorts, score) => {
    expect(verdict(shorts.map((short) => found(short))).categories.encryption.score).toBe(score);
  });

  test.each([
    [["high confirmed", "high confirmed"], 61],
    [["high confirmed", "high confirmed", "high confirmed"], 58],
    [["high confirmed", "high confirmed", "high confirmed", "high confirmed"], 55],
    [["info confirmed", "critical confirmed"], 40],
    [["info confirmed", "info confirmed"], 99],
  ])("the score of a category with one finding at locations of %j is %i", (shorts, score) => {
    const instances = shorts.flatMap((short, at) =>
      instancesOf(found(short, { location: { method: "GET", path: `/${at}` } })),
    );
    for (const places of [instances, instances.toReversed()]) {
      const { categories, scoring } = verdict([{ ...found("high confirmed"), instances: places }]);
      expect(categories.encryption.score).toBe(score);
      expect(scoring.deductions).toMatchObject([{ places: shorts.length }]);
    }
  });

  test("counts what several checks saw at one location once, as the worst of it", () => {
    const instances = ["high confirmed", "medium firm", "low firm"].flatMap((short) =>
      instancesOf(found(short)),
    );
    expect(verdict([{ ...found("high confirmed"), instances }]).categories.encryption.score).toBe(70);
  });
});

test("a finding counts in each category that it affects, with the locations that belong there", () => {
  const [read, fields] = [
    found("critical confirmed", { category: "bolaAuthorization" }),
    found("medium confirmed", { category: "dataExposure" }),
  ];
  const instances = [read, fields].flatMap(instancesOf);
  const finding: Finding = { ...read, instances, alsoAffects: ["dataExposure"] };
  const { categories, scoring } = verdict([finding]);
  expect([categories.bolaAuthorization.score, categories.dataExposure.score]).toEqual([40, 88]);
  expect(categories.dataExposure.findings.map(({ id }) => id)).toEqual([finding.id]);
  expect(scoring.deductions).toMatchObject([
    { category: "bolaAuthorization", severity: "critical", points: 60 },
    { category: "dataExposure", severity: "medium", points: 12 },
  ]);
});

describe("findings that were only read in the document", () => {
  const evidence = { rule: "r", exchanges: [], curl: "", pointer: "/servers/0" };
  const lost = (...shorts: string[]) =>
    verdict(shorts.map((short) => found(short, { evidence }))).scoring.deductions.map(({ points }) => points);

  test.each([
    [["low confirmed"], [4]],
    [["medium confirmed"], [4]],
    [
      ["medium confirmed", "medium confirmed"],
      [2, 2],
    ],
    [
      ["high confirmed", "info confirmed"],
      [3.87, 1],
    ],
  ])("%j take %j points", (shorts, points) => {
    expect(lost(...shorts).map((each) => Number(each.toFixed(2)))).toEqual(points);
  });

  test("take nothing of what others take", () => {
    const { deductions } = verdict([
      found("medium confirmed", { evidence }),
      found("high confirmed"),
    ]).scoring;
    expect(deductions.map(({ points }) => points)).toEqual([30, 4]);
  });
});

describe("an unassessed category", () => {
  const withoutModel: Partial<Assessment> = {
    pairs: without("llmSecurity"),
    reasons: new Map([["llmSecurity", "No model was found."]]),
  };

  test("an unassessed category has score 100, no findings and the reason, and no weight", () => {
    const { categories, scoring } = verdict([], withoutModel);
    expect(categories.llmSecurity).toEqual({
      score: 100,
      findings: [],
      assessed: false,
      reason: "No model was found.",
    });
    expect(scoring.weights).not.toHaveProperty("llmSecurity");
  });

  test("an unassessed category is left out of the mean", () => {
    const pairs = { encryption: decided(1) };
    expect(verdict([found("high tentative")], { pairs }).score).toBe(88);
  });

  test("counts as assessed when something was found in it after all", () => {
    const { categories } = verdict([found("low confirmed", { category: "llmSecurity" })], withoutModel);
    expect(categories.llmSecurity).toMatchObject({ score: 96 });
    expect(categories.llmSecurity).not.toHaveProperty("assessed");
  });

  test("an unassessed category that does not apply takes nothing from the coverage", () => {
    expect(verdict([], withoutModel).coverage).toMatchObject({ overall: 1, categories: 0.9166 });
    expect(verdict([], withoutModel).score).toBe(100);
  });

  test.each([
    [0.29, false],
    [0.3, undefined],
  ])("an unassessed category is one of whose pairs less than 30 % were decided: %d", (share, assessed) => {
    const pairs = { ...WHOLLY_TESTED.pairs, ssrf: decided(share) };
    expect(verdict([], { pairs }).categories.ssrf.assessed).toBe(assessed);
  });

  test("an unassessed category of every kind leaves a D, because nothing was tested", () => {
    const result = verdict([], { pairs: equalPairs(decided(0)) });
    expect([result.score, result.grade]).toEqual([60, "D"]);
  });
});

describe("the coverage", () => {
  test.each([
    [1, 100, "A"],
    [0.75, 90, "A"],
    [0.74, 89, "B"],
    [0.5, 80, "B"],
    [0.49, 79, "C"],
    [0.25, 70, "C"],
    [0, 60, "D"],
  ])("the coverage of %d without a finding gives at most %i, grade %s", (share, score, grade) => {
    const result = verdict([], { pairs: equalPairs(decided(share)) });
    expect([result.coverage.overall, result.score, result.grade]).toEqual([share, score, grade]);
  });

  test("the coverage is printed as a deduction, with the reason", () => {
    const { scoring } = verdict([], { pairs: equalPairs(decided(0.5)) });
    expect(scoring.limits).toEqual([
      { by: "coverage", points: 80, deducted: 20, reason: "Only 50 % of what applies was tested" },
    ]);
  });

  test("weighs the categories as the score does", () => {
    const pairs = { ...equalPairs(decided(1)), authentication: decided(0) };
    expect(verdict([], { pairs }).coverage.overall).toBeCloseTo(1 - 14 / 109, 3);
    expect(verdict([], { pairs, context: "financial" }).coverage.overall).toBeLessThan(1 - 14 / 109);
  });

  test("multiplies a category's weight by its decided share, unless something was found in it", () => {
    const pairs = { ...WHOLLY_TESTED.pairs, ssrf: decided(0.5), encryption: decided(0.1) };
    const { weights } = verdict([found("medium firm")], { pairs }).scoring;
    expect(weights.ssrf).toBe(WEIGHTS.ssrf * 0.5);
    expect(weights.encryption).toBe(WEIGHTS.encryption);
  });

  test("takes the decided share by weight where there is one, and the counts of older reports where not", () => {
    const overall = (pairs: PairCounts) => verdict([], { pairs: equalPairs(pairs) }).coverage.overall;
    expect(overall({ ...decided(0.8), share: 0.35 })).toBe(0.35);
    expect(overall(decided(0.8))).toBe(0.8);
  });

  test.each([
    ["missing", "Without an OpenAPI document, some operations may be unknown: at most 50 % counts as tested"],
    [
      "contradicted",
      "The target lacks operations of its OpenAPI document, or has others: at most 50 % counts as tested",
    ],
  ] as const)(
    "the coverage is at most a half with a document that is %s, and the limit says so",
    (documentGap, reason) => {
      const { coverage, score, scoring } = verdict([], { documentGap });
      expect([coverage.overall, coverage.documentGap, score]).toEqual([0.5, documentGap, 80]);
      expect(scoring.limits).toEqual([{ by: "coverage", points: 80, deducted: 20, reason }]);
    },
  );

  test("the coverage of an API that refuses nobody gives at most 64, and the limit says so", () => {
    const { coverage, score, scoring } = verdict([], { refusesNobody: true });
    expect([coverage.overall, coverage.refusesNobody, score]).toEqual([1, true, 64]);
    expect(scoring.limits).toEqual([
      { by: "access", points: 64, deducted: 36, reason: "No operation refused a caller without credentials" },
    ]);
  });

  test("below a half is what was tested, also without a document", () => {
    const { coverage, scoring } = verdict([], { pairs: equalPairs(decided(0.4)), documentGap: "missing" });
    expect([coverage.overall, scoring.limits![0]!.reason]).toEqual([
      0.4,
      "Only 40 % of what applies was tested",
    ]);
  });

  test.each([
    [1, 79, true],
    [2, 100, false],
  ])("the coverage with %i of 10 operations reached gives at most %i", (reached, score, perimeterOnly) => {
    const result = verdict([], { operations: { ...WHOLLY_TESTED.operations, reached } });
    expect([result.score, result.perimeterOnly]).toEqual([score, perimeterOnly]);
  });
});

describe("the cap", () => {
  const spread = (...shorts: string[]) =>
    verdict(shorts.map((short, index) => found(short, { category: CATEGORY_KEYS[11 - index]! }))).scoring.cap
      ?.points ?? null;

  test.each([
    [["critical confirmed"], 49],
    [["critical confirmed", "high confirmed", "high confirmed", "high confirmed"], 49],
    [["critical firm"], 49],
    [["critical tentative"], null],
    [["high confirmed"], 79],
    [["high confirmed", "high confirmed"], 79],
    [["high confirmed", "high confirmed", "high confirmed"], 64],
    [["high confirmed", "high confirmed", "high firm"], 64],
    [["high confirmed", "high confirmed", "high tentative"], 79],
    [["high tentative", "high firm"], 79],
    [["high tentative"], null],
    [["medium confirmed"], null],
    [[], null],
  ])("the cap for %j is %s", (shorts, points) => {
    expect(spread(...shorts)).toBe(points);
  });

  test.each([
    [["high tentative", "high confirmed"], 79],
    [["critical tentative", "high firm"], 79],
    [["high tentative", "medium confirmed"], null],
  ])("the cap for one finding at locations of %j is %s", (shorts, points) => {
    const instances = shorts.flatMap((short) => instancesOf(found(short)));
    expect(verdict([{ ...found(shorts[0]!), instances }]).scoring.cap?.points ?? null).toBe(points);
  });

  test.each([
    ["critical confirmed", 49, "F"],
    ["high confirmed", 79, "C"],
    ["high firm", 79, "C"],
    ["high tentative", 100, "A"],
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
    expect(gradeOf(score)).toBe(grade);
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
