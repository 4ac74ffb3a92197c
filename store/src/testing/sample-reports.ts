import { gunzipSync } from "node:zlib";
import { delivered, type DeliveredOutcome } from "@glovebox/scan-run";
import { instancesOf } from "@glovebox/domain";
import { type Report, type Severity } from "@glovebox/contract";
import { found, instanceAt, reportOf } from "@glovebox/domain/testing";
import type { ScanRow } from "../scans/scan-row.ts";
import { reportWith } from "./fixtures.ts";

/** A finding of the check `ssrf/sample`, by its locations as `GET /orders`. */
export interface SampleFinding {
  readonly id: string;
  readonly places: readonly string[];
  readonly severity?: Severity;
  readonly title?: string;
}

/** A report with these findings, whose check found nothing wrong at the locations of `passed`. */
export const reporting = (
  sample: readonly SampleFinding[],
  passed: readonly string[] = [],
): DeliveredOutcome => delivered({ status: "completed", report: sampleReport(sample, passed) });

export function sampleReport(sample: readonly SampleFinding[], passed: readonly string[] = []): Report {
  const check = "ssrf/sample";
  const findings = sample.map(({ id, places, severity = "high", title = "A weakness" }) => {
    const instances = places.map((at) => instanceAt(at, { check, category: "ssrf", severity, title }));
    const location = instances[0]!.location;
    return found("high firm", {
      ...{ id, check, title, category: "ssrf", severity, location, instances },
    });
  });
  const { places, checks } = reportOf({ found: findings.flatMap(instancesOf), passed });
  return { ...reportWith("sample"), findings, checks, ...(places && { places }) };
}

/** The report of a row that was read with it. */
export const storedReport = ({ packedReport }: Pick<ScanRow, "packedReport">): Report =>
  JSON.parse(gunzipSync(packedReport!).toString()) as Report;
