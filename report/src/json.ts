import type { CompletedScan } from "@glovebox/contract";
import type { Marked } from "./formats.ts";

/** The Scan of the REST API; with marks, `triage` has them by id. */
export function toJson(scan: CompletedScan, { marks }: Marked): string {
  const triage = marks.size > 0 ? { triage: Object.fromEntries(marks) } : {};
  return `${JSON.stringify({ ...scan, ...triage }, undefined, 2)}\n`;
}
