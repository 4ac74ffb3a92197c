import { readFileSync, statSync } from "node:fs";
import { isAbsolute, relative, sep } from "node:path";
import {
  CONTEXTS,
  DEFAULT_LIMITS,
  MAX_REQUESTS,
  MAX_SPEC_BYTES,
  SEVERITIES,
  operationFiltersSchema,
  readTargetUrl,
  type Instance,
  type Report,
  type ScanContext,
  type ScanOrder,
  type Severity,
} from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { documentLines, type SourceDocument } from "@glovebox/report";
import { wholeNumber } from "@glovebox/settings";
import { readCertificates } from "../certificates.ts";
import { UserError, choice, parseOption } from "../command-line.ts";
import { readExpectations, readIdentities, type RawIdentityOptions } from "../identities/identities.ts";
import { readReport } from "../report/read-report.ts";
import { readSuppressions, type Accepted, type Suppression } from "../report/suppressions.ts";
import { SCAN_FORMATS, parseReports, type Written } from "./reports.ts";

/** Options of `glovebox scan` as the command line gives them. */
export interface RawScanOptions extends RawIdentityOptions {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly spec?: string;
  readonly context?: string;
  readonly format?: readonly string[];
  readonly output?: readonly string[];
  readonly failOn?: string;
  readonly minScore?: string;
  readonly minCoverage?: string;
  readonly allowPrivate?: boolean;
  readonly ca?: string;
  readonly maxRequests?: string;
  readonly maxRequestsPerOperation?: string;
  readonly timeout?: string;
  readonly verbose?: boolean;
  readonly plan?: boolean;
  readonly active?: boolean;
  readonly baseline?: string;
  readonly suppressions?: string;
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
  /** Address or path of the document, as it was given. */
  readonly specName: string | undefined;
  readonly context: ScanContext | undefined;
  readonly reports: readonly Written[];
  /** The document of `spec`, where it is a file below the working directory. */
  readonly document: SourceDocument | undefined;
  readonly thresholds: Thresholds;
  readonly allowPrivate: boolean;
  readonly ca: string | undefined;
  readonly limits: ScanOrder["limits"];
  readonly verbose: boolean;
  /** The owner consents to writes: see `ScanMode`. */
  readonly active: boolean;
  /** Print what would be examined, and scan nothing. */
  readonly plan: boolean;
  /** What an earlier report found: it does not count for `failOn`. */
  readonly baseline: readonly Instance[];
  readonly suppressions: readonly Suppression[];
  /** What to examine, where it is not everything. */
  readonly only?: ScanOrder["only"];
  readonly identities: ScanOrder["identities"];
  readonly expectations: ScanOrder["expectations"];
  readonly include: ScanOrder["include"];
  readonly exclude: ScanOrder["exclude"];
}

/** @throws UserError that names the option and the reason. */
export function parseScanOptions(
  url: string,
  raw: RawScanOptions,
  environment: NodeJS.ProcessEnv = {},
): ScanOptions {
  const target = targetUrl("url", url);
  const spec = raw.spec === undefined ? undefined : parseSpec(raw.spec);
  return {
    url: target,
    spec,
    specName: raw.spec,
    context: parseOption("--context", raw.context, choice(CONTEXTS)),
    identities: readIdentities(raw, { environment }),
    expectations: readExpectations(raw, { environment }),
    include: filters("--include", raw.include),
    exclude: filters("--exclude", raw.exclude),
    reports: parseReports(raw, SCAN_FORMATS),
    document: spec?.from === "text" ? sourceDocument(raw.spec!, spec.text) : undefined,
    thresholds: {
      failOn: parseOption("--fail-on", raw.failOn, choice(SEVERITIES)),
      minScore: parseOption("--min-score", raw.minScore, wholeNumber(0, 100)),
      minCoverage: parseOption("--min-coverage", raw.minCoverage, shareOfOne),
    },
    allowPrivate: raw.allowPrivate ?? false,
    ca: parseOption("--ca", raw.ca, readCertificates),
    limits: limitsOf(raw),
    verbose: raw.verbose ?? false,
    active: isActive(raw),
    plan: raw.plan ?? false,
    baseline: raw.baseline === undefined ? [] : readReport(raw.baseline).findings.flatMap(instancesOf),
    suppressions: parseOption("--suppressions", raw.suppressions, readSuppressions) ?? [],
  };
}

function limitsOf(raw: RawScanOptions): ScanOrder["limits"] {
  const { deadlineSeconds, ...requests } = DEFAULT_LIMITS;
  const maxRequests = parseOption("--max-requests", raw.maxRequests, wholeNumber(1, MAX_REQUESTS));
  const maxRequestsPerOperation = parseOption(
    "--max-requests-per-operation",
    raw.maxRequestsPerOperation,
    wholeNumber(10, 1_000),
  );
  return {
    deadlineSeconds: parseOption("--timeout", raw.timeout, wholeNumber(1, 3600)) ?? deadlineSeconds,
    ...(maxRequests === undefined ? requests : { maxRequests }),
    ...(maxRequestsPerOperation !== undefined && { maxRequestsPerOperation }),
  };
}

function filters(option: string, texts: readonly string[] | undefined): ScanOrder["include"] {
  if (texts === undefined) return undefined;
  const parsed = operationFiltersSchema.safeParse(texts);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new UserError(`${option}: ${typeof path[0] === "number" ? `${texts[path[0]]} ` : ""}${message}`);
}

function isActive({ active = false, plan = false }: RawScanOptions): boolean {
  if (active && plan) throw new UserError("--active: nothing is written with --plan");
  return active;
}

function shareOfOne(value: string): number {
  if (!/^(0|1|0?\.\d{1,4}|1\.0{1,4})$/.test(value))
    throw new Error("must be a number from 0 to 1, such as 0.5");
  return Number(value);
}

function parseSpec(value: string): ScanOrder["spec"] {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) return { from: "url", url: targetUrl("--spec", value).href };
  return { from: "text", text: parseOption("--spec", value, readSpec) };
}

function sourceDocument(file: string, text: string): SourceDocument | undefined {
  const path = relative(".", file);
  const isBelow = path !== "" && !isAbsolute(path) && !path.startsWith("..");
  return isBelow ? { path: path.split(sep).join("/"), lineOf: documentLines(text) } : undefined;
}

function readSpec(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file) throw new Error(`${path} is neither an address nor a file`);
  if (file.isDirectory()) throw new Error(`${path} is a directory, not a file`);
  if (file.size > MAX_SPEC_BYTES)
    throw new Error(`${path} is larger than ${MAX_SPEC_BYTES / 1024 / 1024} MiB`);
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause });
  }
}

function targetUrl(name: "url" | "--spec", value: string): URL {
  const read = readTargetUrl(value, "https or http");
  if (typeof read === "string") throw new UserError(`${name}: ${read}`);
  return read;
}

/** The result of the thresholds for a completed scan. */
export interface ThresholdResult {
  readonly outcome: "met" | "missed" | "too little tested";
  /** One sentence for each missed threshold. */
  readonly reasons: readonly string[];
}

/**
 * Checks a report against the thresholds. A scan that tested too little meets none; missed thresholds are reported as well.
 * Accepted findings do not count for `failOn`; the score counts all of them.
 */
export function judge(
  report: Pick<Report, "score" | "findings" | "coverage">,
  thresholds: Thresholds,
  accepted: Pick<Accepted, "reasons">,
): ThresholdResult {
  if (Object.values(thresholds).every((threshold) => threshold === undefined))
    return { outcome: "met", reasons: [] };
  const missed = missedThresholds(report, thresholds, accepted);
  const { minCoverage = DEFAULT_MIN_COVERAGE } = thresholds;
  const { overall = 0 } = report.coverage;
  if (overall >= minCoverage) return { outcome: missed.length > 0 ? "missed" : "met", reasons: missed };
  const reason = `The coverage ${overall.toFixed(2)} is below ${minCoverage}: too little was tested to meet a threshold.`;
  return { outcome: "too little tested", reasons: [reason, ...missed] };
}

function missedThresholds(
  { score, findings }: Pick<Report, "score" | "findings">,
  { failOn, minScore }: Thresholds,
  { reasons: accepted }: Pick<Accepted, "reasons">,
): string[] {
  const reasons = [];
  if (failOn !== undefined) {
    const worst = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
    const counts = ({ id, severity }: Instance): boolean => worst.includes(severity) && !accepted.has(id);
    const count = findings.filter((finding) => instancesOf(finding).some(counts)).length;
    if (count > 0)
      reasons.push(`${count} ${count === 1 ? "finding is" : "findings are"} ${failOn} or worse.`);
  }
  if (minScore !== undefined && score < minScore) reasons.push(`The score ${score} is below ${minScore}.`);
  return reasons;
}
