import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SCAN_FORMATS, parseReports } from "./reports.ts";

const [a, b, c] = ["a", "b", "c"].map((name) => join(tmpdir(), name)) as [string, string, string];
const parsed = (format: readonly string[], output: readonly string[] = []) =>
  parseReports({ format, output }, SCAN_FORMATS).map((each) => [each.format, each.output]);

describe("formats and outputs", () => {
  test.each<[string, ReturnType<typeof parsed>, unknown]>([
    ["without any, the table goes to stdout", parsed([]), [["table", undefined]]],
    ["one output alone is the table", parsed([], [a]), [["table", a]]],
    ["one format alone goes to stdout", parsed(["sarif"]), [["sarif", undefined]]],
    [
      "the first output is of the first format",
      parsed(["sarif", "html"], [a, b]),
      [
        ["sarif", a],
        ["html", b],
      ],
    ],
    [
      "the last format may go to stdout",
      parsed(["sarif", "table"], [a]),
      [
        ["sarif", a],
        ["table", undefined],
      ],
    ],
  ])("%s", (_, reports, expected) => {
    expect(reports).toEqual(expected);
  });

  test.each<[readonly string[], readonly string[], string]>([
    [
      ["sarif", "html", "table"],
      [a],
      "--output: 3 formats need at least 2 files: only the last format goes to stdout",
    ],
    [["sarif"], [a, b], "--output: given 2 times, for one format"],
    [["sarif", "html"], [a, b, c], "--output: given 3 times, for 2 formats"],
    [["sarif", "html"], [a, a], `--output: ${a} is given twice`],
    [
      ["pdf"],
      [],
      "--format: must be one of table, json, sarif, junit, html, markdown, csv, accesscsv, codequality",
    ],
  ])("%s with %s is refused: %s", (format, output, message) => {
    expect(() => parsed(format, output)).toThrow(message);
  });
});
