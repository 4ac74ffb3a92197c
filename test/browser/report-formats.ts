import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";

const SARIF_SCHEMA = "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";

/** What the schema of SARIF 2.1.0 finds wrong. */
export function sarifProblems(log: object): unknown[] {
  const file = createRequire(import.meta.url).resolve(SARIF_SCHEMA);
  // A pattern of the schema is not a valid regular expression with the flag u.
  const ajv = new Ajv.default({ strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  const isValid = ajv.compile(JSON.parse(readFileSync(file, "utf8")) as object);
  return isValid(log) ? [] : isValid.errors!;
}

/** The number of cells of each row of a text in CSV (RFC 4180). @throws Error when it is none */
export function csvWidths(text: string): number[] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)];
  if (cells.map(([cell]) => cell).join("") !== text) throw new Error("This is not CSV.");
  const widths: number[] = [];
  let width = 0;
  for (const [, , end] of cells) {
    width++;
    if (end === "\r\n") widths.push(width);
    if (end === "\r\n") width = 0;
  }
  return widths;
}
