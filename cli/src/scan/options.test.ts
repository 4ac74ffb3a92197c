import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { instancesOf } from "@glovebox/domain";
import { type Severity } from "@glovebox/contract";
import { found as aFinding, instanceAt } from "@glovebox/domain/testing";
import { describe, expect, test } from "vitest";
import { UserError } from "../command-line.ts";
import { NOTHING_ACCEPTED } from "../report/testing.ts";
import { judge, parseScanOptions } from "./options.ts";

const URL_OF_API = "https://api.example.com/v1";

describe("options of glovebox scan", () => {
  test("options of glovebox scan without options a scan has the limits of the service and no threshold", () => {
    expect(parseScanOptions(URL_OF_API, {})).toEqual({
      url: new URL(URL_OF_API),
      spec: undefined,
      context: undefined,
      reports: [{ format: "table", output: undefined }],
      document: undefined,
      thresholds: { failOn: undefined, minScore: undefined, minCoverage: undefined },
      allowPrivate: false,
      ca: undefined,
      limits: { deadlineSeconds: 300, maxRequests: 5_000, requestsPerOperation: 20 },
      verbose: false,
      active: false,
      plan: false,
      baseline: [],
      suppressions: [],
    });
  });

  test("a scan with writes is not planned: a plan would not show them", () => {
    expect(parseScanOptions(URL_OF_API, { active: true })).toMatchObject({ active: true });
    expect(() => parseScanOptions(URL_OF_API, { active: true, plan: true })).toThrow(
      "--active: nothing is written with --plan",
    );
  });

  test("a spec that is an address is left to the scanner to fetch, a file is read", () => {
    const spec = (value: string) => parseScanOptions(URL_OF_API, { spec: value }).spec;
    expect(spec("https://api.example.com/openapi.json")).toMatchObject({ from: "url" });
    expect(spec(import.meta.filename)).toMatchObject({
      from: "text",
      text: expect.stringContaining("describe("),
    });
  });

  test("a document below the working directory is known by its path, another one is not", () => {
    const pathOf = (spec: string) => parseScanOptions(URL_OF_API, { spec }).document?.path;
    expect(pathOf("docs/openapi.json")).toBe("docs/openapi.json");
    expect(pathOf(`${process.cwd()}/docs/openapi.json`)).toBe("docs/openapi.json");
    using folder = mkdtempDisposableSync(join(tmpdir(), "glovebox-options-"));
    writeFileSync(join(folder.path, "openapi.yaml"), "openapi: 3.1.0");
    expect(pathOf(join(folder.path, "openapi.yaml"))).toBeUndefined();
  });

  test.each<[string, Parameters<typeof parseScanOptions>[1], string]>([
    ["ftp://api.example.com", {}, "url: must be an https:// or http:// address"],
    ["api.example.com", {}, "url: is not a valid URL"],
    [URL_OF_API, { spec: "ftp://api.example.com/spec" }, "--spec: must be an https:// or http:// address"],
    [URL_OF_API, { spec: "/no/such.yaml" }, "--spec: /no/such.yaml is neither an address nor a file"],
    [URL_OF_API, { spec: import.meta.dirname }, `--spec: ${import.meta.dirname} is a directory, not a file`],
    [URL_OF_API, { context: "home" }, "--context: must be one of financial, medical, public, internal"],
    [
      URL_OF_API,
      { format: ["xml"] },
      "--format: must be one of table, json, sarif, junit, html, markdown, csv, accesscsv, codequality",
    ],
    [URL_OF_API, { failOn: "worst" }, "--fail-on: must be one of critical, high, medium, low, info"],
    [URL_OF_API, { minScore: "101" }, "--min-score: must be a whole number from 0 to 100"],
    [URL_OF_API, { minCoverage: "50" }, "--min-coverage: must be a number from 0 to 1, such as 0.5"],
    [URL_OF_API, { ca: "/no/such.pem" }, "--ca: is neither PEM text nor a file that can be read"],
    [URL_OF_API, { output: ["/no/such/report"] }, "--output: /no/such/report cannot be written"],
    [URL_OF_API, { output: [import.meta.dirname] }, `--output: ${import.meta.dirname} is a directory`],
    [URL_OF_API, { baseline: "/no/such.json" }, "/no/such.json is not a file."],
    [URL_OF_API, { suppressions: "/no/such.yaml" }, "--suppressions: /no/such.yaml cannot be read"],
    [URL_OF_API, { maxRequests: "0" }, "--max-requests: must be a whole number from 1 to 100000"],
    [
      URL_OF_API,
      { maxRequestsPerOperation: "9" },
      "--max-requests-per-operation: must be a whole number from 10 to 1000",
    ],
    [URL_OF_API, { header: ["x"] }, "--header: must be 'Name: value'"],
    [
      URL_OF_API,
      { exclude: ["DELETE", "delete /orders"] },
      "--exclude: delete /orders must be a method, a path, both, `tag:` or `id:`, as `POST /orders/*`",
    ],
    [URL_OF_API, { include: Array(51).fill("GET") }, "--include: must not be more than 50"],
    [URL_OF_API, { timeout: "1e3" }, "--timeout: must be a whole number from 1 to 3600"],
  ])("%s with %o is refused: %s", (url, raw, message) => {
    expect(() => parseScanOptions(url, raw)).toThrow(new UserError(message));
  });
});

const NONE = { failOn: undefined, minScore: undefined, minCoverage: undefined };
const tenths = (share: number) => ({ categories: 1, operations: 1, overall: share / 10 });
const found = (...severities: Severity[]) => severities.map((severity) => aFinding(`${severity} firm`));

describe("the thresholds that a report misses", () => {
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
    [
      "findings that are less severe",
      { score: 90, findings: found("low", "info") },
      { failOn: "medium" },
      [],
    ],
    ["a score below", { score: 79, findings: [] }, { minScore: 80 }, ["The score 79 is below 80."]],
    ["a score just enough", { score: 80, findings: [] }, { minScore: 80 }, []],
    [
      "both",
      { score: 10, findings: found("info") },
      { failOn: "info", minScore: 11 },
      ["1 finding is info or worse.", "The score 10 is below 11."],
    ],
  ] as const)("%s", (_sentence, report, thresholds, sentences) => {
    const given = { ...NONE, ...thresholds };
    const tested = { ...report, findings: [...report.findings], coverage: tenths(10) };
    expect(judge(tested, given, NOTHING_ACCEPTED)).toEqual({
      outcome: sentences.length > 0 ? "missed" : "met",
      reasons: sentences,
    });
  });
});

describe("a finding of which locations are accepted", () => {
  const [low, high] = [instanceAt("GET /a", { severity: "low" }), instanceAt("GET /b")];
  const finding = { ...aFinding("high firm"), instances: [high, low] };
  const judged = (accepted: readonly string[]) =>
    judge(
      { score: 50, findings: [finding], coverage: tenths(10) },
      { ...NONE, failOn: "medium", minScore: 40 },
      { reasons: new Map(accepted.map((id) => [id, "in the baseline"])) },
    ).outcome;

  test.each([
    ["counts by the locations that are left", [low.id], "missed"],
    ["does not count where those that are left are mild enough", [high.id], "met"],
    ["does not count where none is left", [low.id, high.id], "met"],
  ] as const)("%s", (_, accepted, outcome) => {
    expect(judged(accepted)).toBe(outcome);
  });

  test("takes from the score all the same", () => {
    const accepted = { reasons: new Map(instancesOf(finding).map(({ id }) => [id, "in the baseline"])) };
    const report = { score: 50, findings: [finding], coverage: tenths(10) };
    expect(judge(report, { ...NONE, minScore: 60 }, accepted).outcome).toBe("missed");
  });
});

describe("a scan that tested little", () => {
  test.each([
    [4, {}, "met"],
    [4, { minScore: 50 }, "too little tested"],
    [4, { failOn: "high" }, "too little tested"],
    [5, { minScore: 50 }, "met"],
    [4, { minScore: 50, minCoverage: 0.4 }, "met"],
    [8, { minCoverage: 0.9 }, "too little tested"],
    [0, { minScore: 50, minCoverage: 0 }, "met"],
    [4, { minScore: 90 }, "too little tested"],
    [5, { minScore: 90 }, "missed"],
  ] as const)(
    "a scan that tested little of coverage 0.%i with %j has %s its thresholds",
    (share, thresholds, outcome) => {
      const report = { score: 85, findings: [], coverage: tenths(share) };
      expect(judge(report, { ...NONE, ...thresholds }, NOTHING_ACCEPTED).outcome).toBe(outcome);
    },
  );

  test("says how little that was", () => {
    const report = { score: 85, findings: [], coverage: tenths(4) };
    expect(judge(report, { ...NONE, minScore: 50 }, NOTHING_ACCEPTED).reasons).toEqual([
      "The coverage 0.40 is below 0.5: too little was tested to meet a threshold.",
    ]);
  });

  test("a scan that tested little of an older release, whose reports have no coverage, meets none", () => {
    const report = { score: 100, findings: [], coverage: { categories: 1, operations: 1 } };
    expect(judge(report, { ...NONE, minScore: 50 }, NOTHING_ACCEPTED).outcome).toBe("too little tested");
  });
});
