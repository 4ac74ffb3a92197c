import { describe, expect, test } from "vitest";
import { changesOf, findingsIndexOf, type FindingsIndex } from "./findings-index.ts";
import type { Report } from "@glovebox/contract";
import { found } from "./testing/found.ts";
import { instanceAt, reportOf } from "./testing/reports.ts";

const coverage = { categories: 1, operations: 1 };
const indexOf = (of: Parameters<typeof reportOf>[0], id = "x"): FindingsIndex => {
  const report = reportOf(of);
  const findings = report.findings.map((finding) => ({ ...finding, id }));
  return findingsIndexOf({ ...report, findings, coverage } as Report);
};
const KNOWN = [{ id: "x", seenAt: ["ssrf/sample GET /a", "ssrf/sample GET /b"] }];

describe("what a report changes in a known finding", () => {
  test.each<[string, Parameters<typeof reportOf>[0], string[]]>([
    ["takes the locations that passed", { passed: ["GET /a", "GET /c"] }, ["ssrf/sample GET /a"]],
    ["takes all locations when all passed", { passed: ["GET /a", "GET /b"] }, KNOWN[0]!.seenAt],
    ["leaves what was not tested", { places: ["GET /a", "GET /b"] }, []],
    ["leaves what is unknown to the report", {}, []],
    [
      "leaves where it was seen again, although something also passed there",
      { found: [instanceAt("GET /a")], passed: ["GET /a"] },
      [],
    ],
  ])("%s", (_, of, gone) => {
    expect(changesOf(indexOf(of), KNOWN).gone.flatMap(({ places }) => places)).toEqual(gone);
  });

  test("leaves everything, in a report of a release that does not say what passed", () => {
    const { places: _, ...report } = reportOf({ passed: ["GET /a"] });
    expect(changesOf(findingsIndexOf({ ...report, coverage } as Report), KNOWN).gone).toEqual([]);
  });
});

describe("the index of a report", () => {
  test("names the subject where the weakness was seen elsewhere", () => {
    const { findings } = indexOf({
      found: [instanceAt("POST /graphql", { subject: { method: "GET", path: "/" } })],
    });
    expect(findings).toMatchObject([{ seenAt: ["ssrf/sample GET /"] }]);
  });

  test("bounds what a scanner prints, in text that PostgreSQL can store", () => {
    const finding = found("high firm", {
      title: `\0${"😀".repeat(600)}`,
      location: { method: "GET", path: `/${"a".repeat(9_000)}` },
    });
    const report = { ...reportOf({}), findings: Array.from({ length: 6_000 }, () => finding), coverage };
    const { findings } = findingsIndexOf(report as unknown as Report);
    expect(findings).toHaveLength(5_000);
    expect(findings[0]!.title).toMatch(/^\u{FFFD}(😀)+\u{FFFD}$/u);
    expect(findings[0]!.title.length).toBe(500);
    expect(findings[0]!.place.length).toBe(2_000);
  });
});
