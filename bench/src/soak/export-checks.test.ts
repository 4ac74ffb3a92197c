import { found } from "@glovebox/domain/testing";
import { FORMAT_NAMES, exportScan, type Format } from "@glovebox/report";
import { completedScan } from "@glovebox/report/testing";
import { expect, test } from "vitest";
import { exportProblem } from "./export-checks.ts";

const scan = completedScan([found("high firm", { title: 'Object of "another" user, returned' })]);
const textOf = (format: Format): string => exportScan(scan, format, { now: new Date(0) });

test.each(FORMAT_NAMES)("a completed scan as %s is valid", (format) => {
  expect(exportProblem(format, textOf(format), scan.id)).toBeUndefined();
});

test.each(FORMAT_NAMES)("an empty export as %s is not", (format) => {
  expect(exportProblem(format, "", scan.id)).toBeDefined();
});

test.each(FORMAT_NAMES)("an error instead of %s is not", (format) => {
  const error = JSON.stringify({ error: { code: "internal", message: "An internal error." } });
  expect(exportProblem(format, error, scan.id)).toBeDefined();
});

test.each(["json", "sarif", "junit", "html", "csv", "codequality"] as const)(
  "a cut export as %s is not",
  (format) => {
    expect(exportProblem(format, textOf(format).slice(0, -20), scan.id)).toBeDefined();
  },
);

test("the JSON of another scan is not", () => {
  expect(exportProblem("json", textOf("json"), "scan-01kapc3v7mq5t3cqz6yfv6e2ra")).toBeDefined();
});
