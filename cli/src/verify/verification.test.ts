import { found, instanceAt, locationOf, reportOf } from "@glovebox/domain/testing";
import { describe, expect, test } from "vitest";
import { exitCodeOf, recheckOf, verificationOf, type Verified } from "./verification.ts";

const [a, b, c, d] = ["GET /a", "GET /b (q)", "GET /c", "GET /d"].map((at) => instanceAt(at));
const report = { findings: [{ ...found("high firm"), instances: [a!, b!, c!, d!] }] };

test("the scanner is ordered to examine what the checks examined, not where they saw something", () => {
  const moved = instanceAt("POST /graphql", { subject: locationOf("GET /") });
  expect(recheckOf({ findings: [{ ...found("high firm"), instances: [b!, moved] }] })).toEqual([
    { check: "ssrf/sample", location: { method: "GET", path: "/b", parameter: "q" } },
    { check: "ssrf/sample", location: { method: "GET", path: "/" } },
  ]);
});

test("each instance is confirmed, changed, gone or not reachable", () => {
  const again = reportOf({
    found: [a!, { ...b!, severity: "low" }],
    passed: ["GET /c"],
    places: ["GET /d"],
    reasons: ["The target refused the connection."],
  });
  expect(verificationOf(report, again).map(({ is, detail }) => [is, detail])).toEqual([
    ["confirmed", undefined],
    ["changed", "low now, high before."],
    ["gone", undefined],
    ["not reachable", "The target refused the connection."],
  ]);
});

describe("the exit code", () => {
  test.each<[Verified["is"][], number]>([
    [["gone", "gone"], 0],
    [["gone", "confirmed", "not reachable"], 1],
    [["changed"], 1],
    [["gone", "not reachable"], 3],
    [[], 0],
  ])("the exit code of %j is %i", (results, code) => {
    expect(exitCodeOf(results.map((is) => ({ is, instance: a! })))).toBe(code);
  });
});
