import { OutcomeReader } from "@glovebox/scan-run";
import { type Scan } from "@glovebox/contract";
import { systemLookup } from "@glovebox/egress";
import { readSettings } from "@glovebox/settings";
import { ownScanner } from "../scanner/program.ts";
import { runScanner } from "../scanner/run-scanner.ts";
import { SCAN_SETTINGS } from "../settings.ts";
import type { ScanOptions } from "./options.ts";
import { progressLine } from "./progress.ts";
import { scanOnce, type ScanOnceDeps } from "./scan-once.ts";

const GRACE_MS = 10_000;

/** Scans from this process, with the settings of its environment: progress goes to stderr, and a signal cancels. */
export async function scanHere(
  options: ScanOptions,
  { onPlan, signal = abortOnSignal() }: Partial<Pick<ScanOnceDeps, "onPlan" | "signal">> = {},
): Promise<Scan> {
  const { settings } = readSettings(SCAN_SETTINGS, process.env);
  const progress = progressLine(process.stderr, () => performance.now());
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
    ...(onPlan && { onPlan }),
    signal,
    allow: settings.egressAllow,
    extraCa: settings.extraCa,
  });
  progress.clear();
  return result;

  function onStderr(_scanId: string, text: string): void {
    if (settings.logLevel === "debug" || settings.logLevel === "trace") process.stderr.write(`${text}\n`);
  }
}

function abortOnSignal(): AbortSignal {
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => interrupt.abort());
  return interrupt.signal;
}

/** Why a scan has no report, with what the operator can do. */
export function reasonOf(
  result: Exclude<Scan, { status: "completed" }>,
  { specName = "" }: Pick<ScanOptions, "specName">,
): string {
  if (result.status === "processing") return "it has not ended.";
  const { code, message } = result.error;
  return code === "spec_unusable" ? `--spec: ${specName}: ${message}` : message;
}
