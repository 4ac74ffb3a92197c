import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";
import type { ScanFailure, IsolationProof, Report } from "@glovebox/contract";
import { findingsIndexOf, type FindingsIndex, storableJson } from "@glovebox/domain";
import { MAX_INFLATED_BYTES, type Outcome } from "./frames.ts";

/** A complete report: the fields that decisions need, and the report itself, compressed where it is large. */
export interface DeliveredReport extends Pick<Report, "score" | "grade"> {
  /** How many. */
  readonly findings: number;
  readonly isolation?: IsolationProof;
  /** What is to be known of the findings over time; small beside the report. */
  readonly index: FindingsIndex;
  /** The `Report` as JSON that PostgreSQL can store, in gzip where it is large: `reportJson` gives it. */
  readonly body: string | Uint8Array;
}

export type DeliveredOutcome =
  | { readonly status: "completed"; readonly report: DeliveredReport }
  | { readonly status: "failed"; readonly failure: ScanFailure };

/** Takes time in proportion to the size of the report: not for a thread that serves requests. */
export function delivered(outcome: Outcome): DeliveredOutcome {
  if (outcome.status === "failed") return outcome;
  const { score, grade, findings, isolation } = outcome.report;
  return {
    status: "completed",
    report: {
      score,
      grade,
      findings: findings.length,
      ...(isolation && { isolation }),
      index: findingsIndexOf(outcome.report),
      body: packed(storableJson(outcome.report)),
    },
  };
}

/** Shorter reports are not compressed, in characters. */
const LARGE = 256 * 1024;

/** Compressed for speed, because it is in memory only for a short time. */
const packed = (json: string): DeliveredReport["body"] =>
  json.length > LARGE ? gzipSync(json, { level: 1 }) : json;

const inflate = promisify(gunzip);

/** The whole `Report`, as JSON; at most `MAX_INFLATED_BYTES`, plus what escaping adds. */
export const reportJson = async ({ body }: DeliveredReport): Promise<string> =>
  typeof body === "string"
    ? body
    : (await inflate(body, { maxOutputLength: 2 * MAX_INFLATED_BYTES })).toString();
