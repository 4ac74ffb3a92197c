import { XMLParser, XMLValidator } from "fast-xml-parser";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CompletedScan } from "@glovebox/contract";
import { exportScan, type Format } from "./formats.ts";
import { plainLines, plainText } from "./text.ts";
import { NASTY_TEXTS, hostileScan } from "./testing.ts";

const now = new Date("2027-01-31T12:00:00Z");
const exported = (scan: CompletedScan, format: Format): string => exportScan(scan, format, { now });

const nasty = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...NASTY_TEXTS),
        fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      ),
      {
        maxLength: 8,
      },
    )
    .map((parts) => parts.join("")),
);
/** Runs a check on every text of the list and on made ones. */
function always(check: (text: string) => void): void {
  fc.assert(fc.property(nasty, check), {
    examples: NASTY_TEXTS.map((text): [string] => [text]),
    numRuns: 300,
  });
}

// What no format may have in it as it is, but line ends.
const CONTROL = /(?![\r\n])[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029\ufffe\uffff]/u;

describe("text of a hostile target", () => {
  test.each(["sarif", "junit", "html", "markdown", "csv", "codequality"] as const)(
    "text of a hostile target is without control characters, marks of direction and lone surrogates in %s",
    (format) => {
      always((text) => {
        const written = exported(hostileScan(text), format);
        expect(written.isWellFormed()).toBe(true);
        expect(CONTROL.exec(written)).toBeNull();
      });
    },
  );

  test("adds no element and no attribute to HTML", () => {
    const tags = (text: string) =>
      exported(hostileScan(text), "html")
        .match(/<[^>]*>/g)!
        .map(outline);
    // Names of elements and attributes; the values of attributes cannot end before their quote.
    const outline = (tag: string) => tag.replaceAll(/"[^"]*"/g, '""');
    always((text) => {
      expect(tags(text)).toEqual(tags(text.replaceAll(/[<>&"']/g, "x")));
    });
  });

  test("text of a hostile target is text of one failure, one passed and one skipped case in JUnit", () => {
    const parser = new XMLParser({
      ignoreAttributes: false,
      attributeNamePrefix: "",
      trimValues: false,
      parseAttributeValue: false,
      htmlEntities: true,
      isArray: (name) => name === "testsuite" || name === "testcase",
    });
    always((text) => {
      const xml = exported(hostileScan(text), "junit");
      expect(XMLValidator.validate(xml)).toBe(true);
      const { testsuites } = parser.parse(xml);
      const cases = testsuites.testsuite.flatMap((suite: any) => suite.testcase ?? []);
      expect(cases).toHaveLength(3);
      expect(cases[0].failure.message).toBe(plainText(text));
      expect(cases[1].skipped.message).toBe(plainText(text) || "No reason given.");
      expect(testsuites).toMatchObject({ tests: "3", failures: "1", skipped: "1" });
    });
  });

  test("stays in its cell of CSV, and is not a formula", () => {
    always((text) => {
      const rows = csvRows(exported(hostileScan(text), "csv"));
      expect(rows.map((cells) => cells.length)).toEqual([19, 19]);
      for (const cell of rows[1]!) expect(cell).not.toMatch(/^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/);
      expect([plainText(text), `'${plainText(text)}`]).toContain(rows[1]![6]);
    });
  });

  test("adds no line but in a block of code, no cell, no link and no element to Markdown", () => {
    const benign = exported(hostileScan("x"), "markdown");
    always((text) => {
      const markdown = exported(hostileScan(text), "markdown");
      // A block of code ends at the first line of only the same number of backticks as it began with.
      const prose = markdown
        .replaceAll(/^(`{3,})sh\n[\s\S]*?\n\1$/gm, "")
        .split("\n")
        .filter((line) => !line.startsWith("- `"));
      if (text.trim() !== "" && plainText(text) !== "")
        expect(markdown.split("\n")).toHaveLength(benign.split("\n").length + plainLines(text).length - 1);
      for (const line of prose) {
        const plain = line
          .replaceAll(/(?<!\\)(`+)(?!`).*?(?<!`)\1(?!`)/g, "")
          .replaceAll(/\\[!-/:-@[-`{-~]/g, "");
        expect(plain).not.toMatch(/[<[\]`]|https?:\/\/|@/);
        if (line.startsWith("|")) expect(plain.match(/\|/g)).toHaveLength(4);
      }
    });
  });
});

/** RFC 4180. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]];
  const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (CELL.lastIndex < text.length) {
    const at = CELL.lastIndex;
    const [, quoted, bare, end] = CELL.exec(text) ?? expect.fail(`no cell at ${at}`);
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare!);
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}
