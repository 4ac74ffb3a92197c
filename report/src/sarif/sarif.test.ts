import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import fc from "fast-check";
import type { Log, Run } from "sarif";
import { describe, expect, test } from "vitest";
import type { CompletedScan } from "@glovebox/contract";
import type { Mark } from "@glovebox/domain";
import { found, instanceAt } from "@glovebox/domain/testing";
import { exportScan, type ExportOptions } from "../formats.ts";
import { documentLines } from "../source-location.ts";
import { NASTY_TEXTS, completedScan, hostileScan } from "../testing.ts";

const MAX_RESULTS = 25_000;

const schema = JSON.parse(
  readFileSync(
    createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
    "utf8",
  ),
);
// A pattern of the schema is not a valid regular expression with the flag u.
const ajv = new Ajv.default({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const isValid = ajv.compile(schema);

const now = new Date("2027-01-31T12:00:00Z");
function runOf(scan: CompletedScan, options: Partial<ExportOptions> = {}): Run {
  const log = JSON.parse(exportScan(scan, "sarif", { now, ...options })) as Log;
  expect(isValid(log) ? [] : isValid.errors).toEqual([]);
  expect(log.runs).toHaveLength(1);
  expectUpload(log.runs[0]!);
  return log.runs[0]!;
}

/** What GitHub refuses, or does not show, and the schema allows. */
function expectUpload(run: Run): void {
  const { rules = [], informationUri, semanticVersion } = run.tool.driver;
  expect(informationUri).toMatch(/^https:/);
  expect(semanticVersion).toBeTypeOf("string");
  expect(run.results!.length).toBeLessThanOrEqual(25_000);
  expect(rules.length).toBeLessThanOrEqual(25_000);
  for (const rule of rules) {
    expect(rule.fullDescription?.text).toBeTypeOf("string");
    expect(rule.help?.text).toBeTypeOf("string");
    expect(rule.properties!.tags!.length).toBeLessThanOrEqual(20);
    const severity: unknown = rule.properties!["security-severity"];
    expect(severity).toMatch(/^(10\.0|\d\.\d)$/);
  }
  for (const result of run.results!) {
    expect(rules[result.ruleIndex!]!.id).toBe(result.ruleId);
    expect(result.locations).toHaveLength(1);
    for (const location of [...result.locations!, ...(result.relatedLocations ?? [])]) {
      const { uri = "" } = location.physicalLocation!.artifactLocation!;
      expect(uri).not.toMatch(/^$|^\/|^[a-z][a-z0-9+.-]*:|(^|\/)\.{0,2}(\/|$)|\\/i);
      expect(location.physicalLocation!.region!.startLine).toBeGreaterThanOrEqual(1);
    }
    expect(result.partialFingerprints).toBeDefined();
    for (const { justification } of result.suppressions ?? []) expect(justification).toBeTypeOf("string");
  }
}

const ID = "0e2851c5699ef5ee";
const [a, b] = [instanceAt("GET /users/{id} (id)"), instanceAt("POST /orders")];
const finding = {
  ...found("high firm", {
    ...{ id: ID, check: "ssrf/sample", category: "ssrf", title: "Server-side request forgery" },
    ...{ observed: "The target fetched the address.", remediation: "Allow known hosts only." },
    description: "The target fetched the address. An attacker reaches what the server reaches.",
    references: { cwe: 918, owasp: "API7:2023" },
  }),
  location: a.location,
  instances: [a, b],
};
const accepted: Mark = {
  status: "accepted",
  reason: "behind the gateway",
  expiresAt: "2027-03-01T00:00:00Z",
};

describe("SARIF", () => {
  test("SARIF has a rule with description, help, severity and CWE for each check that found something", () => {
    expect(runOf(completedScan([finding])).tool.driver.rules).toEqual([
      {
        id: "ssrf/sample",
        name: "SsrfSample",
        shortDescription: { text: "Server-side request forgery" },
        fullDescription: { text: "An attacker reaches what the server reaches." },
        help: {
          text: "Allow known hosts only.",
          markdown: "An attacker reaches what the server reaches.\n\nAllow known hosts only.",
        },
        properties: {
          tags: ["security", "Server-side request forgery", "external/cwe/cwe-918", "API7:2023"],
          precision: "high",
          "security-severity": "8.0",
        },
      },
    ]);
  });

  test("says of an active scan that it wrote to its target", () => {
    expect(runOf(completedScan([], { mode: "active" })).properties).toMatchObject({ mode: "active" });
    expect(runOf(completedScan([])).properties).not.toHaveProperty("mode");
  });

  test("SARIF has one result for a weakness, at its first location, with the id as its fingerprint and the others as related", () => {
    const [result, ...others] = runOf(completedScan([finding])).results!;
    expect(others).toEqual([]);
    expect(result).toMatchObject({
      ruleId: "ssrf/sample",
      level: "error",
      message: {
        text: "Server-side request forgery: GET /users/{id} (id). The target fetched the address. And at 1 more location.",
      },
      partialFingerprints: { primaryLocationLineHash: `${ID}:1`, "gloveboxFinding/v1": ID },
    });
    expect(result!.locations![0]!.physicalLocation!.artifactLocation!.uri).toBe(
      "api.shop.example/users/%7Bid%7D",
    );
    expect(result!.relatedLocations).toHaveLength(1);
    expect(result).not.toHaveProperty("suppressions");
  });

  test("points to the operation's line where the document is in the repository", () => {
    const text = "paths:\n  /orders:\n    get: {}\n    post: {}\n  /users/{id}:\n    get: {}\n";
    const document = { path: "api/openapi v1.yaml", lineOf: documentLines(text) };
    const [result] = runOf(completedScan([finding]), { document }).results!;
    const at = [result!.locations![0]!, result!.relatedLocations![0]!].map(({ physicalLocation }) => [
      physicalLocation!.artifactLocation!.uri,
      physicalLocation!.region!.startLine,
    ]);
    expect(at).toEqual([
      ["api/openapi%20v1.yaml", 6],
      ["api/openapi%20v1.yaml", 4],
    ]);
  });

  test("suppresses what is accepted, and leaves the other locations open", () => {
    const { results } = runOf(completedScan([finding]), { marks: new Map([[b.id, accepted]]) });
    expect(
      results!.map((result) => [result.partialFingerprints!["gloveboxFinding/v1"], result.suppressions]),
    ).toEqual([
      [ID, undefined],
      [
        b.id,
        [
          {
            kind: "external",
            status: "accepted",
            justification: "accepted until 2027-02-28: behind the gateway",
          },
        ],
      ],
    ]);
  });

  test("suppresses nothing by a mark that has expired", () => {
    const marks = new Map([[ID, { ...accepted, expiresAt: "2027-01-30T00:00:00Z" }]]);
    expect(runOf(completedScan([finding]), { marks }).results![0]).not.toHaveProperty("suppressions");
  });

  test("leaves out what is more than a run may have, dismissed results first, and says so", () => {
    const many = Array.from({ length: MAX_RESULTS + 1 }, (_, index) => ({
      ...found("low firm"),
      id: `f${index}`,
      check: "c",
    }));
    const scan = completedScan([finding], {});
    const run = runOf({ ...scan, findings: [finding, ...many] }, { marks: new Map([[ID, accepted]]) });
    expect(run.results).toHaveLength(MAX_RESULTS);
    expect(run.results!.some(({ suppressions }) => suppressions)).toBe(false);
    expect(run.invocations![0]!.toolExecutionNotifications![0]!.message.text).toBe(
      "2 findings left out: a run has at most 25000.",
    );
  });

  test("SARIF is valid, and takes no text of the target for a link", () => {
    const texts = fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(texts, (text) => {
        const { message } = runOf(hostileScan(text)).results![0]!;
        expect(message.text!.replaceAll(/\\[\\[\]]/g, "")).not.toMatch(/[[\]]/);
      }),
      { examples: NASTY_TEXTS.map((text): [string] => [text]), numRuns: 150 },
    );
  });
});
