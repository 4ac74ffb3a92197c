import { CATEGORY_KEYS, assess, type CompletedScan, type Finding } from "@glovebox/contract";
import { WHOLLY_TESTED } from "@glovebox/contract/testing";
import { describe, expect, test } from "vitest";
import { progressLine, renderTable, type Paint } from "./render.ts";

const plain: Paint = (_colour, text) => text;

const FINDING: Finding = {
  category: "bolaAuthorization",
  severity: "critical",
  title: "Unauthenticated object access (BOLA/IDOR)",
  description: "…",
  remediation: "Check who asks before an object is returned.",
  id: "f-1",
  check: "anonymous-object-read",
  confidence: "confirmed",
  location: { method: "GET", path: "/patients/{id}", parameter: "id" },
  evidence: {
    rule: "Another id answered with another object.",
    exchanges: [],
    curl: "curl https://api.example.com/patients/2",
  },
  references: {},
};

const SUMMARY = "This scan tested 92 % of what applies to this API, without credentials.";

function scanWith(
  findings: readonly Finding[],
  notes: string[] = [],
  tested: Partial<typeof WHOLLY_TESTED> = {},
): CompletedScan {
  const { llmSecurity: _, ...pairs } = WHOLLY_TESTED.pairs;
  const reasons = new Map([["llmSecurity", "No LLM endpoint was found."]] as const);
  return {
    id: "scan-01kahr5zn8v3mwf2c7d9e4x6bq",
    status: "completed",
    url: "https://api.example.com/",
    createdAt: "2026-11-21T12:00:00.000Z",
    completedAt: "2026-11-21T12:00:05.000Z",
    ...assess({ findings, ...WHOLLY_TESTED, pairs, reasons, ...tested }),
    findings: [...findings],
    summary: SUMMARY,
    checks: [],
    notes,
    statistics: { requests: 431, operations: 17, durationMs: 5_230 },
  };
}

describe("the table of a scan", () => {
  test("a finding is shown with its place, the rule that decided, its remedy and how to repeat it", () => {
    expect(renderTable(scanWith([FINDING], ["The spec could not be read."]), plain))
      .toBe(`https://api.example.com/
Score 49 of 100, grade F
  −42.3  A critical finding: 49 at most

This scan tested 92 % of what applies to this API, without credentials.

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

Findings (1)
critical  Unauthenticated object access (BOLA/IDOR)
          GET /patients/{id} (id)
          Object-level authorization · confirmed · anonymous-object-read
          Why:    Another id answered with another object.
          Fix:    Check who asks before an object is returned.
          Repeat: curl https://api.example.com/patients/2

Notes
- The spec could not be read.

17 operations, 431 requests in 5.2 s.
Requests and answers behind each finding: --format json.
`);
  });

  test("a scan without findings says so, and shows every category", () => {
    const text = renderTable(scanWith([]), plain);
    expect(text).toContain("No findings.");
    expect(text).not.toContain("--format json");
    expect(text.match(/no findings|not assessed/g)).toHaveLength(CATEGORY_KEYS.length);
  });

  test("what was not tested takes its points under the score", () => {
    const pairs = { encryption: { applicable: 4, decided: 2, perimeter: 0 } };
    expect(renderTable(scanWith([], [], { pairs }), plain)).toContain(
      "Score 80 of 100, grade B\n  −20.0  Only 50 % of what applies was tested: 80 at most\n",
    );
  });

  test("the paragraph on what was tested is broken into lines between words", () => {
    const scan = { ...scanWith([]), summary: "word ".repeat(60).trim() };
    const lines = renderTable(scan, plain)
      .split("\n")
      .filter((line) => line.startsWith("word"));
    expect(lines.map(({ length }) => length)).toEqual([99, 99, 99]);
  });

  test("a report of an older release, without the paragraph, begins with its categories", () => {
    const { summary: _, ...older } = scanWith([]);
    expect(renderTable(older, plain)).toContain("grade A\n\nAuthentication");
  });

  test.each<[string, Partial<Finding>]>([
    ["a title", { title: "\u001b[2J\u001b]0;owned\u0007gone" }],
    ["a path", { location: { method: "GET", path: "/\u009b31m\u202egnp.exe" } }],
    ["a command", { evidence: { ...FINDING.evidence, curl: "curl x\r\u001b[1A" } }],
  ])("control characters in %s of the target never reach the terminal", (_what, change) => {
    const text = renderTable(scanWith([{ ...FINDING, ...change }]), plain);
    // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test("a command too long to be read is left to the JSON report", () => {
    const curl = `curl ${"x".repeat(1_000)}`;
    expect(
      renderTable(scanWith([{ ...FINDING, evidence: { ...FINDING.evidence, curl } }]), plain),
    ).not.toContain("Repeat:");
  });

  test("severity, score and grade are coloured where colours are on", () => {
    const text = renderTable(scanWith([FINDING]), (colour, part) => `<${colour}>${part}</>`);
    expect(text).toContain("<magenta>critical</>");
    expect(text).toContain("<red>49 of 100</>");
  });
});

function linesOn(isTTY: boolean): string[] {
  const written: string[] = [];
  const line = progressLine({
    isTTY,
    write: (text: string | Uint8Array) => (written.push(String(text)), true),
  });
  line.update({ frame: "progress", category: "ssrf", done: 1, planned: 4 });
  line.update({ frame: "progress", category: "encryption", done: 2, planned: 3 });
  line.clear();
  return written;
}

test("on a terminal one line is overwritten, with the checks of all categories, and erased at the end", () => {
  expect(linesOn(true)).toEqual([
    "\r\u001b[2K1 of 4 checks · Server-side request forgery",
    "\r\u001b[2K3 of 7 checks · Encryption",
    "\r\u001b[2K",
  ]);
});

test("where there is no terminal nothing is written", () => {
  expect(linesOn(false)).toEqual([]);
});
