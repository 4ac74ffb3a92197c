import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CATEGORY_KEYS, CONFIDENCES, SEVERITIES, type Finding } from "@glovebox/contract";
import { compareFindings, instancesOf } from "./findings.ts";

const base: Finding = {
  category: "encryption",
  severity: "medium",
  title: "t",
  description: "d",
  remediation: "r",
  id: "f-5",
  check: "c-5",
  confidence: "firm",
  location: { method: "GET", path: "/m", parameter: "m" },
  evidence: { rule: "r", exchanges: [], curl: "curl" },
  references: {},
};
const text = fc.string({ maxLength: 3 });
const finding: fc.Arbitrary<Finding> = fc
  .record({
    category: fc.constantFrom(...CATEGORY_KEYS),
    severity: fc.constantFrom(...SEVERITIES),
    confidence: fc.constantFrom(...CONFIDENCES),
    id: text,
    check: text,
    location: fc.record({ method: text, path: text, parameter: text }, { requiredKeys: ["method", "path"] }),
  })
  .map((part) => ({ ...base, ...part }));

describe("compareFindings", () => {
  test.each<[string, Partial<Finding>, Partial<Finding>]>([
    ["critical before high", { severity: "critical" }, { severity: "high" }],
    ["high before medium", { severity: "high" }, { severity: "medium" }],
    ["medium before low", { severity: "medium" }, { severity: "low" }],
    ["low before info", { severity: "low" }, { severity: "info" }],
    [
      "severity before category",
      { severity: "high", category: "llmSecurity" },
      { category: "authentication" },
    ],
    [
      "categories in the specification's order",
      { category: "bolaAuthorization" },
      { category: "bflaAuthorization" },
    ],
    ["category before path", { category: "authentication", location: { method: "GET", path: "/z" } }, {}],
    ["path before method", { location: { method: "PUT", path: "/a" } }, {}],
    ["method before parameter", { location: { method: "DELETE", path: "/m", parameter: "z" } }, {}],
    ["no parameter before a parameter", { location: { method: "GET", path: "/m" } }, {}],
    ["parameter before check", { location: { method: "GET", path: "/m", parameter: "a" }, check: "z" }, {}],
    ["check before id", { check: "a", id: "z" }, {}],
    ["id last", { id: "a" }, {}],
    ["upper case by code unit, not by locale", { id: "Z" }, { id: "a" }],
  ])("puts %s", (_, first, second) => {
    expect(compareFindings({ ...base, ...first }, { ...base, ...second })).toBeLessThan(0);
    expect(compareFindings({ ...base, ...second }, { ...base, ...first })).toBeGreaterThan(0);
  });

  test("gives one order for any order of the findings", () => {
    const shuffled = fc
      .array(finding, { maxLength: 20 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })));
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        const ids = (list: Finding[]) =>
          list
            .toSorted(compareFindings)
            .map(({ category, severity, location, check, id }) => [
              category,
              severity,
              location.path,
              location.method,
              location.parameter ?? "",
              check,
              id,
            ]);
        expect(ids(other)).toEqual(ids(all));
      }),
    );
  });
});

test("a finding of an older report has one instance, at which its description was observed", () => {
  expect(instancesOf(base)).toMatchObject([{ location: base.location, observed: "d", severity: "medium" }]);
});
