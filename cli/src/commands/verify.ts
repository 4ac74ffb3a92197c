import type { CompletedScan } from "@glovebox/contract";
import { plainText } from "@glovebox/report";
import type { Command } from "commander";
import { outcomesTable } from "../report/outcomes-table.ts";
import { printFor, write } from "../report/output.ts";
import { readReport } from "../report/read-report.ts";
import { parseScanOptions, type RawScanOptions, type ScanOptions } from "../scan/options.ts";
import { parseReports } from "../scan/reports.ts";
import { ACTIVE, withCallerOptions, type RawCallerOptions } from "../scan/shared-options.ts";
import { reasonOf, scanHere } from "../scan/scan-here.ts";
import {
  exitCodeOf,
  recheckOf,
  verificationOf,
  type RESULTS,
  type Verified,
} from "../verify/verification.ts";

const EXIT_FAILED = 2;
const COLOURS = {
  confirmed: "red",
  changed: "yellow",
  "not reachable": "cyan",
  gone: "green",
} as const satisfies Record<(typeof RESULTS)[number], string>;

type RawVerifyOptions = RawCallerOptions &
  Pick<RawScanOptions, "spec" | "context" | "active" | "maxRequests" | "timeout"> & {
    readonly format: string;
    readonly output?: string;
  };

/** `glovebox verify`: the checks that found something, once more at the same locations. */
export function addVerifyCommand(program: Command): void {
  withCallerOptions(program.command("verify"))
    .description("retest the findings of a report: confirmed, changed, gone or not reachable")
    .argument("<report>", "the output of `scan --format json`, or the Scan of the REST API")
    .option("--spec <url|file>", "the OpenAPI document of the scan")
    .option("--context <context>", "the context of the scan")
    .option("--active", ACTIVE)
    .option("--format <format>", "table for people, json for machines", "table")
    .option("--output <file>", "write the result to a file instead of stdout")
    .option("--max-requests <n>", "maximum number of requests")
    .option("--timeout <seconds>", "maximum duration in seconds")
    .addHelpText(
      "after",
      "\nThe scanner runs the same checks at the same locations, each with its control, as a scan does." +
        "\nExits with 0 when all findings are gone, 1 when one is still present, 2 on failure, 3 when none is present but one could not be reached.",
    )
    .action(async (path: string, raw: RawVerifyOptions) => {
      process.exitCode = await verify(readReport(path), raw);
    });
}

async function verify(report: CompletedScan, raw: RawVerifyOptions): Promise<number> {
  const { format, output, ...given } = raw;
  const [written] = parseReports({ format: [format], ...(output !== undefined && { output: [output] }) }, [
    "table",
    "json",
  ]);
  const options: ScanOptions = {
    ...parseScanOptions(report.url, given, process.env),
    only: recheckOf(report),
  };
  if (options.only?.length === 0) {
    write("The report has no findings.\n", written.output);
    return 0;
  }
  const again = await scanHere(options);
  if (again.status !== "completed") {
    console.error(`glovebox: The verification failed: ${plainText(reasonOf(again, options))}`);
    return EXIT_FAILED;
  }
  const verified = verificationOf(report, again);
  const heading = `${plainText(report.url)}\nReport of ${report.completedAt}, examined again ${again.completedAt} with ${again.statistics.requests} requests.`;
  write(
    written.format === "json"
      ? `${JSON.stringify({ url: report.url, scan: report.id, verifiedAt: again.completedAt, results: verified.map(shape) }, undefined, 2)}\n`
      : `${heading}\n\n${outcomesTable(verified, { colours: COLOURS }, printFor(written.output))}\n`,
    written.output,
  );
  return exitCodeOf(verified);
}

const shape = ({ instance, is, detail }: Verified) => ({
  is,
  ...(detail !== undefined && { detail }),
  ...instance,
});
