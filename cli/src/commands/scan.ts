import { writeFileSync } from "node:fs";
import { styleText } from "node:util";
import { OutcomeReader, type Scan } from "@glovebox/contract";
import { systemLookup } from "@glovebox/egress";
import type { Command } from "commander";
import { judge, parseScanOptions, type RawScanOptions, type ScanOptions } from "../scan/options.ts";
import { progressLine, renderTable, type Paint } from "../scan/render.ts";
import { scanOnce } from "../scan/scan-once.ts";
import { ownScanner } from "../scanner/program.ts";
import { runScanner } from "../scanner/run-scanner.ts";
import { parseSettings } from "../settings.ts";
import { plainText } from "../command-line.ts";
import { UserError } from "../command-line.ts";

const EXIT_FAILED = 2;
const EXIT_CODES = { met: 0, missed: 1, "too little tested": 3 } as const;
const GRACE_MS = 10_000;

/** `glovebox scan`: one scan, with no server and no database. */
export function addScanCommand(program: Command): void {
  program
    .command("scan")
    .description("scan an HTTPS API and print what was found")
    .argument("<url>", "address of the API; HTTPS")
    .option("--spec <url|file>", "OpenAPI or Swagger document, JSON or YAML")
    .option("--context <context>", "what the API is for: financial, medical, public or internal")
    .option("--format <format>", "table for people, json for machines (the Scan of the REST API)", "table")
    .option("--output <file>", "write the report to a file instead of stdout")
    .option("--fail-on <severity>", "end with 1 on a finding of this severity or a worse one")
    .option("--min-score <n>", "end with 1 when the score, whatever the grade, is below this, 0 to 100")
    .option(
      "--min-coverage <n>",
      "with --fail-on or --min-score, or alone: end with 3 when less was tested, 0 to 1 (default: 0.5)",
    )
    .option("--allow-private", "allow private addresses (never a cloud's metadata service)")
    .option("--ca <file>", "additional certificate authority (PEM) to trust")
    .option("--max-requests <n>", "requests to send at most")
    .option("--timeout <seconds>", "seconds that the scan may take at most")
    .addHelpText(
      "after",
      "\nEnds with 0 when clean, 1 when a threshold is missed, 2 when the scan failed, 3 when too little was tested to meet a threshold.",
    )
    .action(async (url: string, raw: RawScanOptions) => {
      process.exitCode = await scan(parseScanOptions(url, raw));
    });
}

async function scan(options: ScanOptions): Promise<number> {
  const { settings } = parseSettings(process.env, ["egressAllow", "dnsServers", "extraCa", "logLevel"]);
  const interrupt = abortOnSignal();
  const progress = progressLine(process.stderr);
  const scanner = {
    program: ownScanner(),
    node: process.execPath,
    outcomes: new OutcomeReader(),
    graceMs: GRACE_MS,
    onStderr,
  };
  const result = await scanOnce(options, {
    run: (run) => runScanner(run, scanner),
    lookup: systemLookup({ servers: settings.dnsServers }),
    now: () => new Date(),
    onProgress: progress.update,
    signal: interrupt,
    allow: settings.egressAllow,
    extraCa: settings.extraCa,
  });
  progress.clear();
  return report(result, options);

  function onStderr(_scanId: string, text: string): void {
    if (settings.logLevel === "debug" || settings.logLevel === "trace") process.stderr.write(`${text}\n`);
  }
}

function report(result: Scan, options: ScanOptions): number {
  if (options.format === "json") print(`${JSON.stringify(result, undefined, 2)}\n`, options);
  if (result.status !== "completed") {
    console.error(`glovebox: The scan failed: ${plainText(reasonOf(result, options))}`);
    return EXIT_FAILED;
  }
  if (options.format === "table") print(renderTable(result, painter(options)), options);
  const { outcome, reasons } = judge(result, options.thresholds);
  for (const sentence of reasons) console.error(`glovebox: ${sentence}`);
  return EXIT_CODES[outcome];
}

function reasonOf(result: Exclude<Scan, { status: "completed" }>, { allowPrivate }: ScanOptions): string {
  if (result.status === "processing") return "it has not ended.";
  const { code, message } = result.error;
  return code === "egress_refused" && !allowPrivate
    ? `${message} --allow-private allows private addresses.`
    : message;
}

function print(text: string, { output }: ScanOptions): void {
  if (output === undefined) return void process.stdout.write(text);
  try {
    writeFileSync(output, text);
  } catch (cause) {
    throw new UserError(`--output: ${output} cannot be written`, { cause });
  }
}

const painter = ({ output }: ScanOptions): Paint =>
  output === undefined
    ? (colour, text) => styleText(colour, text, { stream: process.stdout })
    : (_colour, text) => text;

function abortOnSignal(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => interrupt.abort());
  return interrupt.signal;
}
