import type { CompletedScan } from "@glovebox/contract";
import type { PlanFrame } from "@glovebox/scan-run";
import { exportScan, plainText } from "@glovebox/report";
import type { Command } from "commander";
import { printFor, write } from "../report/output.ts";
import { acceptedOf } from "../report/suppressions.ts";
import { renderTable } from "../report/table.ts";
import { judge, parseScanOptions, type RawScanOptions, type ScanOptions } from "../scan/options.ts";
import { collected } from "../command-line.ts";
import { parseReports } from "../scan/reports.ts";
import { planFrom, renderPlan } from "../scan/plan.ts";
import { ACTIVE, withCallerOptions } from "../scan/shared-options.ts";
import { reasonOf, scanHere } from "../scan/scan-here.ts";

const EXIT_FAILED = 2;
const EXIT_CODES = { met: 0, missed: 1, "too little tested": 3 } as const;

const FORMATS =
  "table (the default), json (the Scan of the REST API), sarif, junit, html, markdown, csv, accesscsv (what each identity got) or codequality (GitLab); may be repeated";

/** `glovebox scan`: one scan, with no server and no database. */
export function addScanCommand(program: Command): void {
  withCallerOptions(program.command("scan"))
    .description("scan an HTTP API and print what was found")
    .argument(
      "<url>",
      "address of the API: https://, or http:// of this machine and of addresses that are allowed",
    )
    .option("--spec <url|file>", "OpenAPI or Swagger document, JSON or YAML")
    .option("--context <context>", "what the API is for: financial, medical, public or internal")
    .option("--format <format>", FORMATS, collected)
    .option("--verbose", "in the table, how to reproduce and fix each finding, and every location")
    .option(
      "--output <file>",
      "write the report to a file instead of stdout; the first --output belongs to the first --format, and so on",
      collected,
    )
    .option("--plan", "print what would be tested, and send only the requests that read the document")
    .option("--active", ACTIVE)
    .option("--fail-on <severity>", "exit with 1 on a finding of this severity or higher")
    .option("--min-score <n>", "exit with 1 when the score is below this, 0 to 100")
    .option(
      "--min-coverage <n>",
      "with --fail-on or --min-score, or alone: exit with 3 when less was tested, 0 to 1 (default: 0.5)",
    )
    .option("--baseline <report>", "earlier report whose findings do not count for --fail-on")
    .option(
      "--suppressions <file>",
      "findings that do not count either (YAML or JSON: id, reason and expires of each)",
    )
    .option(
      "--max-requests <n>",
      "maximum number of requests (default: 5000, or 20 for each operation where that is more)",
    )
    .option(
      "--max-requests-per-operation <n>",
      "maximum number of requests for one operation (default: 90, and more where requests and time are left)",
    )
    .option("--timeout <seconds>", "maximum duration of the scan in seconds")
    .addHelpText(
      "after",
      "\nExits with 0 when clean, 1 when a threshold is missed, 2 when the scan failed, 3 when too little was tested to meet a threshold.",
    )
    .action(async (url: string, raw: RawScanOptions) => {
      const options = parseScanOptions(url, raw, process.env);
      process.exitCode = await (options.plan ? plan(raw, options) : scan(options));
    });
}

async function scan(options: ScanOptions): Promise<number> {
  const result = await scanHere(options);
  if (result.status === "completed") return report(result, options);
  for (const { output } of options.reports.filter(({ format }) => format === "json"))
    write(json(result), output);
  console.error(`glovebox: The scan failed: ${plainText(reasonOf(result, options))}`);
  return EXIT_FAILED;
}

function report(result: CompletedScan, options: ScanOptions): number {
  const { reports, document } = options;
  const now = new Date();
  const accepted = acceptedOf(result.findings, { ...options, today: now });
  for (const { format, output } of reports) {
    const text =
      format === "table"
        ? renderTable(result, printFor(output, options), accepted)
        : exportScan(result, format, { marks: accepted.marks, now, document });
    write(text, output);
  }
  if (!reports.some(({ format }) => format === "table"))
    for (const [id, reason] of accepted.reasons)
      console.error(`glovebox: Not counted: ${id}, ${plainText(reason)}`);
  for (const note of accepted.notes) console.error(`glovebox: ${plainText(note)}`);
  const { outcome, reasons } = judge(result, options.thresholds, accepted);
  for (const sentence of reasons) console.error(`glovebox: ${sentence}`);
  return EXIT_CODES[outcome];
}

async function plan(raw: RawScanOptions, options: ScanOptions): Promise<number> {
  const reports = parseReports(raw, ["table", "json"]);
  const frames: PlanFrame[] = [];
  const result = await scanHere(options, { onPlan: (frame) => frames.push(frame) });
  const made = planFrom(options.url.href, frames);
  if (made) {
    for (const { format, output } of reports)
      write(format === "json" ? json(made) : renderPlan(made, printFor(output, options)), output);
    return 0;
  }
  if (result.status !== "completed")
    console.error(`glovebox: The plan could not be made: ${plainText(reasonOf(result, options))}`);
  return EXIT_FAILED;
}

const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
