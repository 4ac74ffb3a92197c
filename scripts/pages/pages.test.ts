import { readFileSync } from "node:fs";
import { CATEGORY_KEYS } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { type DocumentedCheck, checkPages, checksIndexPage } from "./checks.ts";
import { page, table } from "./markdown.ts";
import { SCORING_EXAMPLES } from "./scoring-examples.ts";
import { scoringPage } from "./scoring.ts";
import { PROGRAMS, settingsPage } from "./settings.ts";

const check: DocumentedCheck = {
  id: "rate-limiting/login-not-throttled",
  category: "rateLimiting",
  title: "Login not throttled",
  severity: { default: "medium", financial: "high" },
  confidence: "firm",
  description: "Guesses get responses as fast as they come.",
  rule: "All guesses get the same response.",
  control: "One guess before the burst.",
  remediation: "Slow repeated failures down.",
  references: { cwe: 307, owasp: "API4:2023" },
};

describe("a table", () => {
  it("keeps a cell with a pipe or a line break in one row", () => {
    expect(table(["a"], [["x | y\n z"]])).toBe("| a |\n|---|\n| x \\| y z |");
  });
});

describe("a page", () => {
  it("leaves an absent block out and ends with one line break", () => {
    expect(page("# Title", undefined, "Text")).toBe("# Title\n\nText\n");
  });
});

describe("the page of a check", () => {
  const pageOf = (own: DocumentedCheck): string | undefined => checkPages([own]).get(`${own.id}.md`);

  it("names the severity of every context", () => {
    expect(pageOf(check)).toContain("| medium; high (financial) | firm |");
  });

  it("shows rule, control and remediation, and only the references that exist", () => {
    const text = pageOf(check);
    expect(text).toContain(check.rule);
    expect(text).toContain(check.control);
    expect(text).toContain(check.remediation);
    expect(text).toContain("CWE-307");
    expect(text).not.toContain("undefined");
  });
});

describe("the page of a table of checks", () => {
  const group = "Consoles & descriptions";
  const rows = ["one", "two"].map((name) => ({
    ...check,
    id: `rate-limiting/exposed-${name}`,
    group,
    title: name,
  }));

  it("the page of a table of checks has one row for each check, and no separate page for any of them", () => {
    const pages = checkPages([...rows, check]);
    expect([...pages.keys()]).toEqual(["rate-limiting/consoles-descriptions.md", `${check.id}.md`]);
    for (const { id } of rows)
      expect(pages.get("rate-limiting/consoles-descriptions.md")).toContain(`| \`${id}\` |`);
  });

  it("the page of a table of checks is where the index links each of its checks", () => {
    expect(checksIndexPage(rows)).toContain("[two](rate-limiting/consoles-descriptions.md)");
  });
});

describe("the index of checks", () => {
  it("links a check from its category and names all twelve categories", () => {
    const text = checksIndexPage([check]);
    expect(text).toContain("[Login not throttled](rate-limiting/login-not-throttled.md)");
    for (const category of CATEGORY_KEYS) expect(text).toContain(`\`${category}\``);
  });
});

describe("the scoring page", () => {
  it("lists every category with its weight, and every cap and grade", () => {
    const text = scoringPage();
    expect(text).toContain("| Object-level authorization | 14 |");
    expect(text).toContain("| 3 × high | 64 |");
    expect(text).toContain("| A | 90 |");
    expect(SCORING_EXAMPLES.map(([, { score, grade }]) => `${score} ${grade}`)).toEqual([
      "100 A",
      "90 A",
      "80 B",
      "80 B",
      "64 D",
      "73 C",
      "79 C",
      "99 A",
      "49 F",
      "49 F",
    ]);
    expect(text).not.toContain("undefined");
  });
});

it("docs/settings.md is what the tables of the settings say", () => {
  const page = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
  expect(page).toBe(settingsPage());
});

it.each(Object.entries(PROGRAMS))("docs/settings.md has one row for each setting of %s", (title, table) => {
  const [section] = settingsPage().split(`## ${title}\n`)[1]!.split("\n## ");
  const names = [...section!.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.values(table).map(({ variable }) => variable));
});
