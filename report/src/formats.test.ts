import { createHash } from "node:crypto";
import { XMLParser } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { CATEGORY_KEYS, completedScanSchema, type AccessOfCallers } from "@glovebox/contract";
import { type Mark } from "@glovebox/domain";
import { found, instanceAt, reportOf } from "@glovebox/domain/testing";
import { FORMAT_NAMES, exportFileName, exportScan, type Format } from "./formats.ts";
import { completedScan } from "./testing.ts";

const now = new Date("2027-01-31T12:00:00Z");
const ID = "0e2851c5699ef5ee";
const [a, b] = [instanceAt("GET /a"), instanceAt("POST /b (q)")];
const finding = found("high firm", {
  ...{ id: ID, check: "ssrf/sample", category: "ssrf", title: "Request forgery" },
  ...{
    instances: [
      { ...a, category: "ssrf" },
      { ...b, category: "ssrf" },
    ],
    observed: "Seen.",
  },
});
const { checks, places } = reportOf({ found: [a, b], passed: ["GET /c"], reasons: ["No response."] });
const scan = completedScan([finding], { checks, places: places! });
const mark: Mark = { status: "falsePositive", reason: "a test host", by: "ada@example.com" };
const marks = new Map([[b.id, mark]]);
const decided = "false positive by ada@example.com: a test host";
const exported = (format: Format, given = marks) => exportScan(scan, format, { marks: given, now });

describe("what a scan may have left behind", () => {
  const sideEffects = [
    {
      operation: { method: "POST", path: "/register" },
      request: { method: "POST", url: "https://api.shop.example/register", headers: {}, body: "[|]" },
      response: { status: 201, headers: { location: "/accounts/7" }, body: '{"id":7}' },
      cleaned: false,
    },
  ];

  test.each<[Format, string]>([
    ["markdown", "- `POST /register: status 201` `[|]`"],
    ["html", "<summary>POST /register: status 201</summary>"],
    ["json", '"location": "/accounts/7"'],
  ])(
    "what a scan may have left behind is listed in %s, and nowhere where there is nothing",
    (format, line) => {
      const write = (more: object): string =>
        exportScan(completedScan([finding], more), format, { marks: new Map(), now });
      expect(write({ sideEffects })).toContain(line);
      expect(write({ sideEffects: [] })).not.toContain("left behind");
    },
  );
});

describe("the access of callers", () => {
  const accessByCaller: AccessOfCallers[] = [
    { method: "GET", path: "/me", access: { alice: "allowed", anonymous: "refused" } },
    {
      ...{ method: "GET", path: "/admin|users", access: { alice: "different", anonymous: "notFound" } },
      violations: [
        { caller: "alice", finding: "f1" },
        { caller: "anonymous", expectation: "allow" },
      ],
    },
  ];
  const write = (format: Format, more: object): string =>
    exportScan(completedScan([finding], more), format, { marks: new Map(), now });

  test("the access of callers is a row for each operation in CSV", () => {
    expect(write("accesscsv", { accessByCaller }).split("\r\n")).toEqual([
      "method,path,alice,anonymous,violations",
      "GET,/me,allowed,refused,",
      'GET,/admin|users,different data,not found,"alice: finding f1; anonymous: expected to be allowed"',
      "",
    ]);
    expect(write("accesscsv", {})).toBe("method,path,violations\r\n");
  });

  test.each<[Format, string]>([
    ["html", "<td><code>GET /me</code></td><td>allowed</td><td>refused</td><td></td>"],
    [
      "markdown",
      "| GET /admin\\|users | different data | not found | alice: finding f1; anonymous: expected to be allowed |\n| GET /me |",
    ],
  ])("the access of callers is a table in %s, and nowhere in a scan without identities", (format, row) => {
    expect(write(format, { accessByCaller })).toContain(row);
    expect(write(format, {})).not.toContain("Access by caller");
  });
});

test.each<Format>(["markdown", "html"])("the scope of a scan is told in %s", (format) => {
  const write = (more: object): string =>
    exportScan(completedScan([], more), format, { marks: new Map(), now });
  const text = "Only operations that match /orders were called, and none that match DELETE.";
  expect(write({ scope: { include: ["/orders"], exclude: ["DELETE"] } })).toContain(text);
  expect(write({})).not.toContain("operations that match");
});

describe("what an active scan wrote", () => {
  const request = { method: "POST", url: "https://api.shop.example/notes", headers: {}, body: "{}" };
  const response = { status: 201, headers: {}, body: '{"id":7}' };
  const created = { operation: { method: "POST", path: "/notes" }, caller: "self-1", request, response };
  const journal = [
    { ...created, object: "/notes/6", cleaned: true },
    {
      ...created,
      object: "/notes/7",
      cleaned: false,
      reason: "DELETE returned 403.",
      curl: "curl -X DELETE",
    },
  ];

  test.each<Format>(["markdown", "html", "json"])(
    "what an active scan wrote is in %s, with what remains and how to delete it",
    (format) => {
      const write = (more: object): string =>
        exportScan(completedScan([finding], more), format, { marks: new Map(), now });
      const text = write({ mode: "active", journal });
      for (const part of ["/notes/7", "DELETE returned 403.", "curl -X DELETE"]) expect(text).toContain(part);
      expect(write({ mode: "safe" })).not.toContain("What the scan wrote");
    },
  );

  test("lists in Markdown only that of which something remains", () => {
    const scan = completedScan([finding], { mode: "active", journal });
    const text = exportScan(scan, "markdown", { marks: new Map(), now });
    expect(text).toContain("Of 1 of them something remains.");
    expect(text).not.toContain("/notes/6");
  });
});

describe("what is accepted or a false positive", () => {
  test("what is accepted or a false positive is apart in Markdown, with the decision", () => {
    const [before, after] = exported("markdown").split("## Accepted and false positives");
    expect(before).toContain("GET /a");
    expect(before).not.toContain("POST /b");
    expect(after).toContain("| high | t | 1 location | false positive by ada&#64;example.com: a test host |");
  });

  test("what is accepted or a false positive is apart in HTML, with the decision", () => {
    const [before, after] = exported("html").split('<h2 id="decided">');
    expect(before).toContain("<b>1</b><span>open findings</span>");
    expect(before).not.toContain("POST /b");
    expect(after).toContain(decided);
  });

  test("what is accepted or a false positive has its status, reason, expiry and person in CSV", () => {
    const rows = exported("csv").trim().split("\r\n");
    expect(rows[1]).toMatch(/,open,,,$/);
    expect(rows[2]).toMatch(/,falsePositive,a test host,,ada@example.com$/);
  });

  test("what is accepted or a false positive is left out of the code quality report", () => {
    const entries = JSON.parse(exported("codequality")) as { fingerprint: string }[];
    expect(entries.map(({ fingerprint }) => fingerprint)).toEqual([a.id]);
  });

  test("what is accepted or a false positive is beside the scan in JSON, which stays a readable report", () => {
    const json = JSON.parse(exported("json"));
    expect(json.triage).toEqual({ [b.id]: mark });
    expect(completedScanSchema.safeParse(json).success).toBe(true);
  });

  test("counts again in every format once the mark has expired", () => {
    const past = new Map([[ID, { ...mark, expiresAt: "2027-01-31T12:00:00Z" }]]);
    for (const format of FORMAT_NAMES) expect(exported(format, past)).toBe(exported(format, new Map()));
  });
});

describe("JUnit", () => {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: "" });
  const { testsuites } = parser.parse(exported("junit"));
  const suite = testsuites.testsuite.find(({ name }: any) => name === "Server-side request forgery");

  test("JUnit has a suite for each category, in the order of the specification", () => {
    expect(testsuites.testsuite).toHaveLength(CATEGORY_KEYS.length);
  });

  test("JUnit has a case for each check and location: failed, passed, not assessed, and skipped where it is decided", () => {
    expect(suite).toMatchObject({ tests: "4", failures: "1", skipped: "2" });
    expect(suite.testcase.map((each: any) => [each.classname, each.name, Object.keys(each)[0]])).toEqual([
      ["ssrf.sample", "GET /a", "failure"],
      ["ssrf.sample", "POST /b (q)", "skipped"],
      ["ssrf.sample", "1 location not assessed", "skipped"],
      ["ssrf.sample", "GET /c", "classname"],
    ]);
    expect(suite.testcase[1].skipped.message).toBe(`t, ${decided}`);
    expect(suite.testcase[2].skipped.message).toBe("No response.");
  });

  test("skips a category that was not assessed, with the reason", () => {
    const unassessed = {
      ...scan.categories,
      llmSecurity: { score: 100, findings: [], assessed: false, reason: "No model." },
    };
    const xml = exportScan({ ...scan, categories: unassessed }, "junit", { now });
    expect(xml).toContain(
      '<testcase classname="llmSecurity" name="LLM security"><skipped message="No model."/>',
    );
  });

  test("counts what passed by check where the locations are too many to list", () => {
    const many = { ...checks[0]!, passed: 30_000 };
    const xml = exportScan({ ...scan, checks: [many] }, "junit", { now });
    expect(xml).toContain('name="30000 locations passed"/>');
    expect(xml).not.toContain("GET /c");
  });
});

describe("HTML", () => {
  const html = exported("html");

  test("allows its own style block and nothing else", () => {
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)![1]!;
    const hash = createHash("sha256").update(style).digest("base64");
    expect(html).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html).not.toMatch(/<(script|link|img|iframe|object|base|form)\b|\sstyle=|\son\w+=/);
  });

  test("shows the control and the attack side by side, and marks the lines that only the response to the attack has", () => {
    const request = { method: "GET", url: "https://api.shop.example/a", headers: {} };
    const evidence = {
      ...finding.evidence,
      exchanges: [
        { role: "control" as const, request, response: { status: 200, headers: {}, body: "same" } },
        {
          role: "attack" as const,
          request,
          response: { status: 200, headers: {}, body: "same\nroot:x:0:0" },
        },
      ],
    };
    const page = exportScan(completedScan([found("high firm", { evidence })]), "html", { now });
    expect(page).toContain("<p>Control request</p>");
    expect(page.match(/<mark>.*<\/mark>/g)).toEqual(["<mark>root:x:0:0</mark>"]);
  });
});

test("a file's name has the host and the id, and nothing that a shell or a header gives a meaning to", () => {
  expect(FORMAT_NAMES.map((format) => exportFileName(scan, format))).toEqual(
    ["json", "sarif", "xml", "html", "md", "csv", "access.csv", "codequality.json"].map(
      (extension) => `glovebox-api.shop.example-scan-01kapc3v7mq5t3cqz6yfv6e2r9.${extension}`,
    ),
  );
  expect(exportFileName({ ...scan, url: "https://[::1]:8443/" }, "csv")).toBe(
    "glovebox--1--scan-01kapc3v7mq5t3cqz6yfv6e2r9.csv",
  );
});
