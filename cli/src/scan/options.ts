import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  ApiError,
  CONTEXTS,
  DEFAULT_LIMITS,
  MAX_SPEC_BYTES,
  SEVERITIES,
  parseTargetUrl,
  type Report,
  type ScanContext,
  type ScanOrder,
  type Severity,
} from "@glovebox/contract";
import { wholeNumber } from "@glovebox/settings";
import { readCertificates } from "../certificates.ts";
import { choice, parseOption } from "../command-line.ts";
import { UserError } from "../command-line.ts";

/** Options of `glovebox scan` as the command line gives them. */
export interface RawScanOptions {
  readonly spec?: string;
  readonly context?: string;
  readonly format?: string;
  readonly output?: string;
  readonly failOn?: string;
  readonly minScore?: string;
  readonly minCoverage?: string;
  readonly allowPrivate?: boolean;
  readonly ca?: string;
  readonly maxRequests?: string;
  readonly timeout?: string;
}

/** When a completed scan makes the command exit with 1, or with 3 if too little was tested. Undefined: not checked. */
export interface Thresholds {
  /** A finding of this severity or a worse one. */
  readonly failOn: Severity | undefined;
  /** A score below this. */
  readonly minScore: number | undefined;
  /** With less coverage than this share, a scan meets neither of the two. */
  readonly minCoverage: number | undefined;
}

/** Default of `--min-coverage` when another threshold is given. */
const DEFAULT_MIN_COVERAGE = 0.5;

export interface ScanOptions {
  readonly url: URL;
  readonly spec: ScanOrder["spec"];
  readonly context: ScanContext | undefined;
  readonly format: "table" | "json";
  readonly output: string | undefined;
  readonly thresholds: Thresholds;
  readonly allowPrivate: boolean;
  readonly ca: string | undefined;
  readonly limits: ScanOrder["limits"];
}

/** @throws UserError that names the option and the reason. */
export function parseScanOptions(url: string, raw: RawScanOptions): ScanOptions {
  return {
    url: targetUrl("url", url),
    spec: raw.spec === undefined ? undefined : parseSpec(raw.spec),
    context: parseOption("--context", raw.context, choice(CONTEXTS)),
    format: parseOption("--format", raw.format, choice(["table", "json"])) ?? "table",
    output: parseOption("--output", raw.output, writable),
    thresholds: {
      failOn: parseOption("--fail-on", raw.failOn, choice(SEVERITIES)),
      minScore: parseOption("--min-score", raw.minScore, wholeNumber(0, 100)),
      minCoverage: parseOption("--min-coverage", raw.minCoverage, shareOfOne),
    },
    allowPrivate: raw.allowPrivate ?? false,
    ca: parseOption("--ca", raw.ca, readCertificates),
    limits: {
      deadlineSeconds:
        parseOption("--timeout", raw.timeout, wholeNumber(1, 3600)) ?? DEFAULT_LIMITS.deadlineSeconds,
      maxRequests:
        parseOption("--max-requests", raw.maxRequests, wholeNumber(1, 100_000)) ?? DEFAULT_LIMITS.maxRequests,
    },
  };
}

function shareOfOne(value: string): number {
  if (!/^(0|1|0?\.\d{1,4}|1\.0{1,4})$/.test(value))
    throw new Error("must be a number from 0 to 1, such as 0.5");
  return Number(value);
}

function parseSpec(value: string): ScanOrder["spec"] {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) return { from: "url", url: targetUrl("specUrl", value).href };
  return { from: "text", text: parseOption("--spec", value, readSpec) };
}

function readSpec(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new Error(`${path} is neither an https:// address nor a file`);
  if (file.size > MAX_SPEC_BYTES)
    throw new Error(`${path} is larger than ${MAX_SPEC_BYTES / 1024 / 1024} MiB`);
  return readFileSync(path, "utf8");
}

/** Checked before the scan, so that its report is not lost at the end. */
function writable(path: string): string {
  try {
    const file = statSync(path, { throwIfNoEntry: false });
    accessSync(file ? path : dirname(resolve(path)), constants.W_OK);
    if (!file?.isDirectory()) return path;
  } catch (cause) {
    throw new Error(`${path} cannot be written`, { cause });
  }
  throw new Error(`${path} is a directory`);
}

function targetUrl(field: "url" | "specUrl", value: string): URL {
  try {
    return parseTargetUrl(field, value);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw new UserError(error.message.replace(/^specUrl/, "--spec"));
  }
}

/** The result of the thresholds for a completed scan. */
export interface ThresholdResult {
  readonly outcome: "met" | "missed" | "too little tested";
  /** One sentence for each missed threshold. */
  readonly reasons: readonly string[];
}

/** Checks a report against the thresholds. A scan that tested too little meets none; missed thresholds are reported as well. */
export function judge(
  report: Pick<Report, "score" | "findings" | "coverage">,
  thresholds: Thresholds,
): ThresholdResult {
  if (Object.values(thresholds).every((threshold) => threshold === undefined))
    return { outcome: "met", reasons: [] };
  const missed = missedThresholds(report, thresholds);
  const { minCoverage = DEFAULT_MIN_COVERAGE } = thresholds;
  const { overall = 0 } = report.coverage;
  if (overall >= minCoverage) return { outcome: missed.length > 0 ? "missed" : "met", reasons: missed };
  const reason = `The coverage ${overall.toFixed(2)} is below ${minCoverage}: too little was tested to meet a threshold.`;
  return { outcome: "too little tested", reasons: [reason, ...missed] };
}

function missedThresholds(
  { score, findings }: Pick<Report, "score" | "findings">,
  { failOn, minScore }: Thresholds,
): string[] {
  const reasons = [];
  if (failOn !== undefined) {
    const worst = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
    const count = findings.filter(({ severity }) => worst.includes(severity)).length;
    if (count > 0)
      reasons.push(`${count} ${count === 1 ? "finding is" : "findings are"} ${failOn} or worse.`);
  }
  if (minScore !== undefined && score < minScore) reasons.push(`The score ${score} is below ${minScore}.`);
  return reasons;
}
