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
import { choice, parseOption } from "../option.ts";
import { UserError } from "../user-error.ts";

/** Options of `glovebox scan` as the command line gives them. */
export interface RawScanOptions {
  readonly spec?: string;
  readonly context?: string;
  readonly format?: string;
  readonly output?: string;
  readonly failOn?: string;
  readonly minScore?: string;
  readonly allowPrivate?: boolean;
  readonly ca?: string;
  readonly maxRequests?: string;
  readonly timeout?: string;
}

/** What makes a completed scan end the command with 1; undefined: nothing does. */
export interface Thresholds {
  /** A finding of this severity or a worse one. */
  readonly failOn: Severity | undefined;
  /** A score below this. */
  readonly minScore: number | undefined;
}

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

/** Checked before the scan, whose report would otherwise be lost when it ends minutes later. */
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

/** The thresholds that a report reaches, each as a sentence; none: the scan is clean. */
export function reachedThresholds(
  { score, findings }: Pick<Report, "score" | "findings">,
  { failOn, minScore }: Thresholds,
): string[] {
  const reached = [];
  if (failOn !== undefined) {
    const worst = SEVERITIES.slice(0, SEVERITIES.indexOf(failOn) + 1);
    const count = findings.filter(({ severity }) => worst.includes(severity)).length;
    if (count > 0)
      reached.push(`${count} ${count === 1 ? "finding is" : "findings are"} ${failOn} or worse.`);
  }
  if (minScore !== undefined && score < minScore) reached.push(`The score ${score} is below ${minScore}.`);
  return reached;
}
