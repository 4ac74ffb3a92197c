import { assess, decidedShare } from "@glovebox/domain";
import { type Category, type Coverage } from "@glovebox/contract";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import type { ApiDocument } from "../inventory/api-document.ts";
import type { Operation, Parameter } from "../inventory/operation.ts";
import { aCheck, anOperation, aResponse, aTargetProfile } from "../testing/samples.ts";
import {
  defineObservation,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type Check,
  type TargetProfile,
} from "./check.ts";
import { testedIn, type Tested } from "./coverage.ts";
import { REACHES, type Reach } from "./reach.ts";
import type { Read } from "./read-operations.ts";
import type { Result, Run } from "./result.ts";

const DOCUMENT = { operations: [], securitySchemes: [], notes: [] } as unknown as ApiDocument;
const read = (reach: Reach, more: Partial<Read> = {}): Read => ({
  ...{ reach, isPeripheral: false, isAbsent: false },
  ...more,
});
const coverageOf = (tested: Tested): Coverage =>
  assess({ findings: [], ...tested, reasons: new Map(), context: undefined }).coverage;
const operations = (count: number, facts: Parameters<typeof anOperation>[0] = {}) =>
  Array.from({ length: count }, (_, index) => anOperation({ path: `/things${index}`, ...facts }));

/** Of a scan whose every check passed on every operation, and on the host. */
function coverageOfPasses(parts: Partial<TargetProfile>): number {
  const profile = aTargetProfile({ entry: aResponse({ body: "{}" }), ...parts });
  const check = aCheck({ category: "dataExposure" });
  const results = [...profile.operations, profile.host].map((subject): Result => ({
    ...{ check, subject, verdict: pass(), reach: "reached" },
  }));
  const reads = new Map(profile.operations.map((operation) => [operation, read("reached")]));
  return coverageOf(testedIn(profile, { results, reads }, [check])).overall ?? 0;
}

describe("without a document", () => {
  it("a target without known operations is not covered, even if its host was tested", () => {
    expect(coverageOfPasses({ operations: [] })).toBeLessThan(0.2);
  });

  it("a target of which hardly more than the entry was found is covered less than one with operations", () => {
    expect(coverageOfPasses({ operations: operations(1) })).toBeLessThan(
      coverageOfPasses({ operations: operations(3) }),
    );
  });

  it("a target is covered to a half at most", () => {
    const many = { operations: operations(10, { security: "none" }) };
    expect(coverageOfPasses({ ...many, document: DOCUMENT })).toBeGreaterThan(0.5);
    expect(coverageOfPasses(many)).toBe(0.5);
  });
});

describe("the decided share of a pair", () => {
  const operation = anOperation({ path: "/search", parameters: [aParameter("query")] });
  const [light, heavy] = [aTest("light", "low"), aTest("heavy", "critical")];

  function shareOf(
    category: Category,
    results: readonly Partial<Result>[],
    { reach = "reached", checks = [light, heavy] }: { reach?: Reach; checks?: readonly Check[] } = {},
  ): number {
    const profile = aTargetProfile({ operations: [operation], document: DOCUMENT });
    const run: Pick<Run, "results" | "reads"> = {
      results: results.map((result) => ({
        ...{ subject: operation, verdict: pass(), reach: "reached" as const },
        ...result,
        check: { ...(result.check ?? light), category },
      })),
      reads: new Map([[operation, read(reach)]]),
    };
    return decidedShare(
      testedIn(
        profile,
        run,
        checks.map((check) => ({ ...check, category })),
      ).pairs[category],
    );
  }

  const leftOut = { verdict: inconclusive("Left out."), reach: "untried" as const };
  test.each<[string, Partial<Result>[], number]>([
    ["both tests passed", [{}, { check: heavy }], 1],
    ["the light test passed, the heavy one was left out", [{}, { check: heavy, ...leftOut }], 2 / 12],
    ["the heavy test passed, the light one was left out", [leftOut, { check: heavy }], 10 / 12],
    ["the light test passed, the heavy one was not planned", [{}], 2 / 12],
    ["the heavy test turned out not to apply", [{}, { check: heavy, verdict: notApplicable("None.") }], 1],
    [
      "the heavy test failed, and was not confirmed",
      [{}, { check: heavy, verdict: inconclusive("Once.") }],
      2 / 12,
    ],
    ["nothing ran", [], 0],
  ])("the decided share of a pair is weighted by severity where %s", (_, results, share) => {
    expect(shareOf("inputValidation", results)).toBeCloseTo(share, 6);
  });

  it("the decided share of a pair is weighted by the likelihood of each test", () => {
    const likely = { ...heavy, prior: () => 0.2 };
    expect(shareOf("inputValidation", [{}], { checks: [light, likely] })).toBeCloseTo(0.5, 6);
  });

  test.each<[Category, Reach, number]>([
    ["inputValidation", "reached", 1],
    ["inputValidation", "missing", 1],
    ["inputValidation", "refused", 0],
    ["inputValidation", "failed", 0],
    ["propertyAuthorization", "refused", 0],
    ["bolaAuthorization", "refused", 0],
    ["dataExposure", "refused", 0],
    ["authentication", "refused", 1],
    ["bflaAuthorization", "refused", 1],
    ["encryption", "failed", 1],
  ])(
    "the decided share of a pair of a pass in %s whose own requests were %s is %d, although others reached the operation",
    (category, reach, share) => {
      expect(shareOf(category, [{ reach }], { checks: [light] })).toBe(share);
    },
  );

  it("the decided share of a pair is decided by the refusal where no test of access applies", () => {
    expect(shareOf("authentication", [], { reach: "refused", checks: [] })).toBe(1);
    expect(shareOf("inputValidation", [], { reach: "refused", checks: [] })).toBe(0);
  });

  it("the decided share of a pair is open where an operation is never called for safety", () => {
    const neverCalled = [anOperation({ method: "POST", path: "/purge" })];
    const profile = aTargetProfile({ operations: [operation], neverCalled, document: DOCUMENT });
    const { pairs, operations } = testedIn(profile, { results: [], reads: new Map() }, []);
    expect(pairs.bflaAuthorization).toMatchObject({ applicable: 2, decided: 0, share: 0 });
    expect(operations.known).toBe(2);
  });
});

describe("a question about the host", () => {
  const [ofHost, ofOperation] = [
    aTest("host", "high", "dataExposure"),
    aTest("operation", "high", "dataExposure"),
  ];
  const host = (profile: TargetProfile): Result => ({
    ...{ check: ofHost, subject: profile.host, verdict: pass(), reach: "untried" },
  });

  it("a question about the host is one pair where no operation has the category", () => {
    const write = anOperation({ method: "POST" });
    const profile = aTargetProfile({ operations: [write], document: DOCUMENT });
    const { pairs } = testedIn(profile, { results: [host(profile), host(profile)], reads: new Map() }, []);
    expect(pairs.dataExposure).toEqual({ applicable: 1, decided: 1, perimeter: 0, share: 1 });
  });

  it("decides nothing where an operation has the category", () => {
    const profile = aTargetProfile({ operations: operations(2), document: DOCUMENT });
    const { pairs } = testedIn(profile, { results: [host(profile)], reads: new Map() }, [ofOperation]);
    expect(pairs.dataExposure).toMatchObject({ applicable: 2, share: 0 });
  });

  it("a question about the host is not taken from the host by a check that only observes the operations", () => {
    const observer = defineObservation({
      ...aTest("observer", "low", "encryption"),
      observe: () => undefined,
    });
    const profile = aTargetProfile({ operations: operations(2), document: DOCUMENT });
    const { pairs } = testedIn(profile, { results: [], reads: new Map() }, [observer]);
    expect(pairs.encryption).toMatchObject({ applicable: 1 });
  });
});

describe("operations reached", () => {
  const guarded = operations(5, { security: "required" });
  const reads = (more: readonly [Operation, Read][]) =>
    new Map([...guarded.map((each): [Operation, Read] => [each, read("refused")]), ...more]);
  const tested = (extra: Operation, shown: Read) => {
    const profile = aTargetProfile({ operations: [...guarded, extra], document: DOCUMENT });
    return testedIn(profile, { results: [], reads: reads([[extra, shown]]) }, []);
  };

  it("operations reached are those whose handler responded", () => {
    const { operations } = tested(anOperation({ path: "/offers" }), read("reached"));
    expect(operations).toMatchObject({ known: 6, callable: 6, reached: 1 });
  });

  it("operations reached are neither documents nor health endpoints nor static files, which are not pairs either", () => {
    const { operations, pairs } = tested(
      anOperation({ path: "/pulse" }),
      read("reached", { isPeripheral: true }),
    );
    expect(operations).toMatchObject({ known: 5, callable: 5, reached: 0 });
    expect(pairs.dataExposure).toMatchObject({ applicable: 5 });
  });

  it("operations reached are not the submitted address beside a document that does not know it", () => {
    const { operations } = tested(anOperation({ path: "/", source: "discovered" }), read("reached"));
    expect(operations).toMatchObject({ known: 5, reached: 0 });
  });
});

describe("an API that refuses nobody", () => {
  const [publicRead, openRead, write] = [
    anOperation({ path: "/offers", security: "none" }),
    anOperation({ path: "/parts" }),
    anOperation({ method: "POST", path: "/parts" }),
  ];
  const refusesNobody = (all: readonly Operation[], reach: Reach, document?: ApiDocument): boolean =>
    testedIn(
      aTargetProfile({ operations: all, document }),
      { results: [], reads: new Map(all.filter(({ isRead }) => isRead).map((each) => [each, read(reach)])) },
      [],
    ).refusesNobody;

  test.each<[string, readonly Operation[], Reach, ApiDocument | undefined, boolean]>([
    ["has a write", [openRead, write], "reached", DOCUMENT, true],
    ["is declared to need credentials", [anOperation({ security: "required" })], "reached", DOCUMENT, true],
    ["has no document", [openRead], "reached", undefined, true],
    ["did not respond", [openRead, write], "failed", DOCUMENT, true],
    ["refuses a read", [openRead, write], "refused", DOCUMENT, false],
    ["only reads", [openRead], "reached", DOCUMENT, false],
    [
      "is declared public",
      [publicRead, anOperation({ method: "POST", security: "none" })],
      "reached",
      DOCUMENT,
      false,
    ],
  ])("an API that refuses nobody where it %s", (_, all, reach, document, expected) => {
    expect(refusesNobody(all, reach, document)).toBe(expected);
  });
});

describe("taking away what is known", () => {
  const CATEGORIES = ["authentication", "inputValidation", "dataExposure", "encryption"] as const;
  const checks = CATEGORIES.flatMap((category) =>
    (["critical", "low"] as const).map((severity) => {
      const ofHost = category === "encryption";
      return aCheck({
        ...{ id: `${category}/${severity}`, category, severity },
        subjects: (profile) => (ofHost ? [profile.host] : profile.operations),
      });
    }),
  );
  const known = [
    ...operations(3, { security: "required", parameters: [aParameter("query")] }),
    ...operations(2, { method: "POST", source: "discovered" }),
  ];
  const profile = aTargetProfile({ operations: known, document: DOCUMENT });
  const subjects = checks.flatMap((check) => check.subjects(profile).map((subject) => ({ check, subject })));
  const result = fc.record({
    verdict: fc.constantFrom(pass(), fail("Seen."), inconclusive("Unclear."), notApplicable("None.")),
    reach: fc.constantFrom(...REACHES),
    isKept: fc.boolean(),
  });
  const run = fc.record({
    results: fc.array(result, { minLength: subjects.length, maxLength: subjects.length }),
    reads: fc.array(fc.constantFrom(...REACHES), { minLength: known.length, maxLength: known.length }),
    isRead: fc.array(fc.boolean(), { minLength: known.length, maxLength: known.length }),
  });

  test("results or reads, as without checks, operations or requests, never raises coverage or the unauthenticated share", () => {
    fc.assert(
      fc.property(run, fc.boolean(), ({ results, reads, isRead }, hasDocument) => {
        const all = subjects.map((each, index): Result => ({ ...each, ...results[index]! }));
        const full = {
          results: all,
          reads: new Map(known.map((operation, index) => [operation, read(reads[index]!)])),
        };
        const less = {
          results: all.filter((_, index) => results[index]!.isKept),
          reads: new Map([...full.reads].filter((_, index) => isRead[index]!)),
        };
        const before = coverageOf(testedIn(profile, full, checks));
        const { document: _, ...rest } = profile;
        const after = coverageOf(
          testedIn(hasDocument ? profile : { ...rest, document: undefined }, less, checks),
        );
        expect(after.overall!).toBeLessThanOrEqual(before.overall!);
        if (before.refusesNobody) expect(after.refusesNobody).toBe(true);
        expect(after.reached ?? 0).toBeLessThanOrEqual(before.reached ?? 1);
      }),
      { numRuns: 300 },
    );
  });
});

function aTest(
  name: string,
  severity: "low" | "high" | "critical",
  category: Category = "inputValidation",
): Check {
  return aCheck({
    ...{ id: `sample/${name}`, category, severity },
    subjects: ({ operations }) => operations,
  });
}

function aParameter(location: "query" | "path"): Parameter {
  return { name: "q", in: location, required: false, type: "string", sample: "a", sampleIsDeclared: false };
}
