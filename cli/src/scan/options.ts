import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  ApiError,
  CONTEXTS,
  DEFAULT_LIMITS,
  MAX_SPEC_BYTES,
  SEVERITIES,
  parseTargetUrl,
  type ScanContext,
  type ScanOrder,
  type Severity,
} from "@glovebox/contract";
import { readCertificates } from "../certificates.ts";
import { UserError } from "../user-error.ts";
import type { Thresholds } from "./thresholds.ts";

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
    context: oneOf<ScanContext>("--context", raw.context, CONTEXTS),
    format: oneOf("--format", raw.format, ["table", "json"] as const) ?? "table",
    output: raw.output === undefined ? undefined : named("--output", () => writable(raw.output!)),
    thresholds: {
      failOn: oneOf<Severity>("--fail-on", raw.failOn, SEVERITIES),
      minScore: wholeNumber("--min-score", raw.minScore, [0, 100]),
    },
    allowPrivate: raw.allowPrivate ?? false,
    ca: raw.ca === undefined ? undefined : named("--ca", () => readCertificates(raw.ca!)),
    limits: {
      deadlineSeconds: wholeNumber("--timeout", raw.timeout, [1, 3600]) ?? DEFAULT_LIMITS.deadlineSeconds,
      maxRequests: wholeNumber("--max-requests", raw.maxRequests, [1, 100_000]) ?? DEFAULT_LIMITS.maxRequests,
    },
  };
}

function parseSpec(value: string): ScanOrder["spec"] {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) return { from: "url", url: targetUrl("specUrl", value).href };
  return { from: "text", text: named("--spec", () => readSpec(value)) };
}

function readSpec(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) throw new Error(`${path} is neither an https:// address nor a file`);
  if (file.size > MAX_SPEC_BYTES)
    throw new Error(`${path} is larger than ${MAX_SPEC_BYTES / 1024 / 1024} MiB`);
  return readFileSync(path, "utf8");
}

/** Judged before the scan, whose report would otherwise be lost when it ends minutes later. */
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

function oneOf<T extends string>(
  option: string,
  value: string | undefined,
  allowed: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new UserError(`${option}: must be one of ${allowed.join(", ")}`);
  return found;
}

function wholeNumber(
  option: string,
  value: string | undefined,
  [min, max]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max))
    throw new UserError(`${option}: must be a whole number from ${min} to ${max}`);
  return number;
}

function named<T>(option: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UserError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}
