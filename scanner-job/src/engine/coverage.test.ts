import { assess } from "@glovebox/contract";
import { expect, it } from "vitest";
import { aCheck, anOperation, aReply, aTargetProfile } from "../testing/samples.ts";
import { pass, type TargetProfile } from "./check.ts";
import { testedIn } from "./coverage.ts";
import type { Result } from "./runner.ts";

/** The coverage of a scan whose every check passed on every operation, and on the host. */
function coverageOf(parts: Partial<TargetProfile>): number {
  const profile = aTargetProfile({ entry: aReply({ body: "{}" }), ...parts });
  const { operations, host } = profile;
  const results = [...operations, host].map((subject): Result => ({
    check: aCheck({ category: "dataExposure" }),
    subject,
    verdict: pass(),
    reach: "reached",
  }));
  const tested = testedIn(profile, results, new Map(operations.map((operation) => [operation, "reached"])));
  const { coverage } = assess({
    findings: [],
    pairs: tested.pairs,
    operations: tested.operations,
    reasons: new Map(),
    context: undefined,
  });
  return coverage.overall ?? 0;
}

const operations = (count: number) =>
  Array.from({ length: count }, (_, index) => anOperation({ path: `/things${index}` }));

it("a target without known operations is not covered, even if its host was tested", () => {
  expect(coverageOf({ operations: [] })).toBeLessThan(0.2);
});

it("a target of which hardly more than the entry was found is covered less than one with operations", () => {
  expect(coverageOf({ operations: operations(1) })).toBeLessThan(coverageOf({ operations: operations(3) }));
});
