import type { Finding, Severity } from "@glovebox/contract";
import { expect, test } from "vitest";
import { reachedThresholds } from "./thresholds.ts";

const found = (...severities: Severity[]) => severities.map((severity) => ({ severity }) as Finding);

test.each([
  ["no threshold is never reached", { score: 0, findings: found("critical") }, {}, []],
  [
    "a finding of the severity itself",
    { score: 90, findings: found("medium") },
    { failOn: "medium" },
    ["1 finding is medium or worse."],
  ],
  [
    "findings that are worse",
    { score: 90, findings: found("critical", "high", "low") },
    { failOn: "medium" },
    ["2 findings are medium or worse."],
  ],
  ["findings that are less severe", { score: 90, findings: found("low", "info") }, { failOn: "medium" }, []],
  ["a score below", { score: 79, findings: [] }, { minScore: 80 }, ["The score 79 is below 80."]],
  ["a score just enough", { score: 80, findings: [] }, { minScore: 80 }, []],
  [
    "both",
    { score: 10, findings: found("info") },
    { failOn: "info", minScore: 11 },
    ["1 finding is info or worse.", "The score 10 is below 11."],
  ],
] as const)("%s", (_sentence, report, thresholds, sentences) => {
  const given = { failOn: undefined, minScore: undefined, ...thresholds };
  expect(reachedThresholds({ ...report, findings: [...report.findings] }, given)).toEqual(sentences);
});
