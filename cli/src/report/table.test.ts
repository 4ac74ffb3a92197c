import {
  CATEGORY_KEYS,
  type CompletedScan,
  type Finding,
  type JournalEntry,
  type SideEffect,
} from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { found, instanceAt } from "@glovebox/domain/testing";
import { describe, expect, test } from "vitest";
import type { Accepted } from "./suppressions.ts";
import { renderTable } from "./table.ts";
import { NOTHING_ACCEPTED, scanWith } from "./testing.ts";
import type { Print } from "./text.ts";

const plain: Print = { paint: (_colour, text) => text, width: 100, verbose: false };

const FINDING: Finding = {
  ...found("critical confirmed", {
    category: "bolaAuthorization",
    check: "bola-authorization/anonymous-object-read",
    title: "Unauthenticated object access (BOLA/IDOR)",
    description: "Object 2 was returned. Objects are returned to anybody.",
    observed: "Object 2 was returned.",
    remediation: "Check who asks before an object is returned.",
    location: { method: "GET", path: "/patients/{id}", parameter: "id" },
    evidence: {
      rule: "Another id returned another object.",
      exchanges: [],
      curl: "curl https://api.example.com/patients/2",
    },
    references: { cwe: 639 },
  }),
};

const table = (
  scan: CompletedScan,
  print: Partial<Print> = {},
  accepted: Accepted = NOTHING_ACCEPTED,
): string => renderTable(scan, { ...plain, ...print }, accepted);
const linesFrom = (text: string, start: string): string[] => {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.startsWith(start));
  return at === -1 ? [] : lines.slice(at, lines.indexOf("", at) === -1 ? undefined : lines.indexOf("", at));
};

describe("the table", () => {
  test("tells which operations the scan was limited to", () => {
    const scan = { ...scanWith([]), scope: { exclude: ["DELETE", "/billing/**"] } };
    expect(table(scan)).toContain(
      "\n\nOnly some operations were called, and none that match DELETE, /billing/**.\n\n",
    );
  });

  test("opens with score and summary, then categories, findings by weakness, notes and effort", () => {
    expect(table(scanWith([FINDING], { notes: ["The spec could not be read."] })))
      .toBe(`https://api.example.com/
Score 49 of 100, grade F
  −42.3  A critical finding: 49 at most

This scan tested 100 % of what applies to this API.

Authentication                100  no findings
Object-level authorization     40  1 critical
Function-level authorization  100  no findings
Property-level authorization  100  no findings
Input validation              100  no findings
Rate limiting                 100  no findings
Data exposure                 100  no findings
Encryption                    100  no findings
Server-side request forgery   100  no findings
Inventory management          100  no findings
Unsafe consumption of APIs    100  no findings
LLM security                    –  not assessed: No LLM endpoint was found.

Findings: 1 critical, at 1 location
critical  Unauthenticated object access (BOLA/IDOR)  CWE-639
          GET /patients/{id} (id)  Object 2 was returned.

Notes
- The spec could not be read.

17 operations, 431 requests in 5.2 s.
How to reproduce and fix each finding: --verbose. Requests and responses: --format json.
`);
  });

  test("lists each request that the target may have stored, and nothing where there is none", () => {
    const effect: SideEffect = {
      operation: { method: "POST", path: "/register" },
      request: { method: "POST", url: "https://api.example.com/register", headers: {}, body: "[]" },
      response: { status: 201, headers: {}, body: "" },
      cleaned: false,
    };
    const silent = { ...effect, response: { ...effect.response, status: 0 } };
    const lines = linesFrom(
      table(scanWith([], { sideEffects: [effect, silent] })),
      "What the scan may have left behind",
    );
    expect(lines.slice(-2)).toEqual(["- POST /register: status 201", "- POST /register: no response"]);
    expect(table(scanWith([]))).not.toContain("left behind");
  });

  test("tells what an active scan wrote, and how to delete what remains of it", () => {
    const entry: JournalEntry = {
      operation: { method: "POST", path: "/users" },
      caller: "anonymous",
      request: { method: "POST", url: "https://api.example.com/users", headers: {}, body: "{}" },
      response: { status: 201, headers: {}, body: "" },
      cleaned: false,
      reason: "The API has no operation that deletes it.",
    };
    const lines = linesFrom(
      table({
        ...scanWith([]),
        mode: "active",
        journal: [
          { ...entry, curl: "curl -X DELETE https://api.example.com/users/1" },
          { ...entry, cleaned: true },
        ],
      }),
      "What the scan wrote",
    );
    expect(lines.at(-1)).toBe("  curl -X DELETE https://api.example.com/users/1");
    expect(lines.join(" ")).toContain("sent 2 writes");
    expect(lines.filter((line) => line.startsWith("- "))).toHaveLength(1);
    expect(table({ ...scanWith([]), mode: "safe" })).not.toContain("What the scan wrote");
  });

  const locations = ["/a", "/b", "/c", "/d", "/e", "/f", "/g", "/h"].map((path) => instanceAt(`GET ${path}`));

  test("the table has one line for each of the first six locations, and counts the others", () => {
    const text = table(scanWith([{ ...FINDING, instances: locations }]));
    const lines = linesFrom(text, "critical");
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe("          and 2 more: --verbose");
    expect(text).toContain("Findings: 1 critical, at 8 locations");
  });

  test("the table has one line for what several checks saw at one location, and names what else they saw", () => {
    const [first] = instancesOf(FINDING);
    const second = {
      ...first!,
      id: "second",
      title: "Mass disclosure of personal data (PII)",
      observed: "4 rows.",
    };
    expect(linesFrom(table(scanWith([{ ...FINDING, instances: [first!, second] }])), "critical")).toEqual([
      "critical  Unauthenticated object access (BOLA/IDOR)  CWE-639",
      "          GET /patients/{id} (id)  Object 2 was returned.",
      "          Also seen there: Mass disclosure of personal data (PII)",
    ]);
  });

  test("shows all that is known of a finding where it is verbose", () => {
    expect(linesFrom(table(scanWith([FINDING]), { verbose: true }), "critical")).toEqual([
      "critical  Unauthenticated object access (BOLA/IDOR)  CWE-639",
      "          Object-level authorization · confirmed · bola-authorization/anonymous-object-read",
      "          What:   Objects are returned to anybody.",
      "          Why:    Another id returned another object.",
      "          Fix:    Check who asks before an object is returned.",
      "          GET /patients/{id} (id)",
      `            Object 2 was returned. Id ${instancesOf(FINDING)[0]!.id}.`,
      "            curl https://api.example.com/patients/2",
    ]);
  });

  test("folds what informs into one block, advice on headers included", () => {
    const host = { location: { method: "GET", path: "/" } };
    const text = table(
      scanWith([
        found("info confirmed", { ...host, title: "OpenAPI document publicly accessible" }),
        found("low confirmed", { ...host, title: "HSTS missing or weak", check: "encryption/hsts" }),
        found("low confirmed", { title: "Undocumented endpoint", location: { method: "GET", path: "/x" } }),
        found("info firm", { title: "API console exposed", location: { method: "GET", path: "/docs" } }),
      ]),
    );
    expect(linesFrom(text, "For information")).toEqual([
      "For information",
      "OpenAPI document publicly accessible; HSTS missing or weak; API console exposed at GET /docs.",
    ]);
    expect(text).toContain("Findings: 2 low, 2 info, at 4 locations");
  });

  test("counts what it folds where there is nothing else", () => {
    const text = table(scanWith([found("low confirmed", { check: "encryption/hsts" })]));
    expect(text).toContain("Findings: 1 low, at 1 location\n\nFor information\n");
  });

  test("says that a finding is counted in each category that it affects", () => {
    const instances = ["bolaAuthorization", "dataExposure"].map((category) => ({
      ...instancesOf(FINDING)[0]!,
      category: category as Finding["category"],
      id: category,
    }));
    const text = table(scanWith([{ ...FINDING, instances, alsoAffects: ["dataExposure"] }]));
    expect(text).toContain("One finding affects several categories");
    expect(text.match(/ 1 critical$/gm)).toHaveLength(2);
    expect(text).toContain("Findings: 1 critical, at 1 location");
  });

  test("lists what is accepted apart, each with its reason, and takes it out of its finding", () => {
    const reasons = new Map([[locations[0]!.id, "suppressed until 2027-01-31: known"]]);
    const text = table(
      scanWith([{ ...FINDING, instances: locations.slice(0, 2) }]),
      {},
      { reasons, marks: new Map(), notes: ["A note."] },
    );
    expect(linesFrom(text, "Not counted")).toEqual([
      "Not counted: 1 location",
      "- high: t, GET /a (suppressed until 2027-01-31: known)",
    ]);
    expect(linesFrom(text, "high").join("\n")).not.toContain("/a");
    expect(text).toContain("/b");
    expect(linesFrom(text, "Notes")).toEqual(["Notes", "- A note."]);
  });

  test("the table of a scan without findings says so, and shows every category", () => {
    const text = table(scanWith([]));
    expect(text).toContain("No findings.");
    expect(text).not.toContain("--verbose");
    expect(text.match(/no findings|not assessed/g)).toHaveLength(CATEGORY_KEYS.length);
  });

  test("puts what was not tested, and the points that it takes, under the score", () => {
    const pairs = { encryption: { applicable: 4, decided: 2, perimeter: 0 } };
    expect(table(scanWith([], { pairs }))).toContain(
      "Score 80 of 100, grade B\n  −20.0  Only 50 % of what applies was tested: 80 at most\n",
    );
  });

  test.each([60, 100, 140])("the table has no line but commands that is longer than %i columns", (width) => {
    const long = "A reason of many words that fills more than one line of any terminal. ".repeat(4).trim();
    const finding = { ...FINDING, observed: long, description: `${long} ${long}`, remediation: long };
    const scan = { ...scanWith([finding], { notes: [long] }), summary: long };
    for (const verbose of [false, true]) {
      const lines = table(scan, { width, verbose }).split("\n");
      const tooLong = lines.filter((line) => line.length > width && !line.trim().startsWith("curl"));
      expect(tooLong).toEqual([]);
    }
  });

  test.each<[string, Partial<Finding>]>([
    ["a title", { title: "\u001b[2J\u001b]0;owned\u0007gone" }],
    ["a path", { location: { method: "GET", path: "/\u009b31m\u202egnp.exe" } }],
    ["what was seen", { observed: "\u001b[2Jgone" }],
    ["a command", { evidence: { ...FINDING.evidence, curl: "curl x\r\u001b[1A" } }],
  ])("never lets control characters in %s of the target reach the terminal", (_what, change) => {
    for (const verbose of [false, true]) {
      const text = table(scanWith([{ ...FINDING, ...change }]), { verbose });
      // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    }
  });

  test("leaves a command too long to be read to the JSON report", () => {
    const curl = `curl ${"x".repeat(1_000)}`;
    const scan = scanWith([{ ...FINDING, evidence: { ...FINDING.evidence, curl } }]);
    expect(table(scan, { verbose: true })).not.toContain("curl");
  });

  test("colours severity, score and grade where colours are on", () => {
    const text = table(scanWith([FINDING]), { paint: (colour, part) => `<${colour}>${part}</>` });
    expect(text).toContain("<magenta>critical</>");
    expect(text).toContain("<red>49 of 100</>");
  });
});
