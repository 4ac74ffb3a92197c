import { readFileSync, statSync } from "node:fs";
import { completedScanSchema, type CompletedScan } from "@glovebox/contract";
import { UserError } from "../command-line.ts";

const MAX_BYTES = 64 * 1024 * 1024;

/** The report in a file, as `--format json` writes it and the REST API returns it. @throws UserError that names the field */
export function readReport(path: string): CompletedScan {
  const value = parsed(path);
  if (typeof value === "object" && value !== null && "status" in value && value.status !== "completed")
    throw new UserError(`${path} is of a scan that did not complete.`);
  const report = completedScanSchema.safeParse(value);
  if (report.success) return report.data;
  const { path: field, message } = report.error.issues[0]!;
  throw new UserError(
    `${path} is not a report of Glovebox: ${field.join(".") || "the document"}: ${message}.`,
  );
}

function parsed(path: string): unknown {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new UserError(`${path} is not a file.`);
  if (statSync(path).size > MAX_BYTES) throw new UserError(`${path} is larger than any report.`);
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? "is not JSON" : "cannot be read";
    throw new UserError(`${path} ${reason}.`, { cause });
  }
}
