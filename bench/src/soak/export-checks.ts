import { completedScanSchema } from "@glovebox/contract";
import type { Format } from "@glovebox/report";
import { XMLValidator } from "fast-xml-parser";
import { csvWidths } from "../../../test/browser/report-formats.ts";

/** What is wrong with an export of this scan; undefined if it is valid in its format. */
export function exportProblem(format: Format, text: string, scan: string): string | undefined {
  try {
    const isValid = CHECKS[format](text, scan);
    return isValid ? undefined : "its content is wrong";
  } catch (error) {
    return (error as Error).message;
  }
}

const isTable = (text: string): boolean => new Set(csvWidths(text)).size === 1;

const CHECKS: Readonly<Record<Format, (text: string, scan: string) => boolean>> = {
  json: (text, scan) => completedScanSchema.parse(JSON.parse(text)).id === scan,
  sarif: (text) => (JSON.parse(text) as { version: string; runs: object[] }).runs.length === 1,
  junit: (text) => XMLValidator.validate(text) === true,
  html: (text, scan) =>
    text.startsWith("<!doctype html>") && text.includes(scan) && text.trimEnd().endsWith("</html>"),
  markdown: (text) => [...text.matchAll(/^\| .* \| (\d+|–) \| .*$/gm)].length === 12,
  csv: isTable,
  accesscsv: isTable,
  codequality: (text) => Array.isArray(JSON.parse(text)),
};
