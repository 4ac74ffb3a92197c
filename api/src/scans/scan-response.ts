import { UNASSESSED, scanSchema, type Scan } from "@glovebox/contract";
import { unpacked } from "@glovebox/scan-run";
import { filtersOf, modeOf, type ScanRow } from "@glovebox/store";
import { PackedBody } from "../http/packed-body.ts";
import type { WaitPreference } from "../http/prefer.ts";
import { RETRY_AFTER, type HttpResponse } from "../http/respond.ts";
import type { ResponseDescription } from "../http/route.ts";

/** The documentation of `responseWithScan`. */
export const scanResponse: ResponseDescription = {
  status: 200,
  description:
    "The scan. While it is processing, Location and Retry-After give the path and the time of the next poll.",
  content: { type: "application/json", schema: scanSchema },
  headers: ["Location", "Retry-After", "Preference-Applied"],
};

/** 200 with the scan; Location and Retry-After while it is processing. */
export function responseWithScan(scan: ScanRow, preference: Record<string, string>): HttpResponse {
  const waiting = scan.status === "processing" ? { Location: scanPath(scan.id), ...RETRY_AFTER } : {};
  return { status: 200, headers: { ...preference, ...waiting }, body: renderScan(scan) };
}

export const scanPath = (id: string): string => `/v1/scan/${id}`;

/** The Preference-Applied header (RFC 7240, section 3); a wait that was cut short was not applied. */
export function preferenceApplied({ applied }: WaitPreference, cutShort: boolean): Record<string, string> {
  const kept = applied?.split(", ").filter((preference) => !(cutShort && preference.startsWith("wait=")));
  return kept?.length ? { "Preference-Applied": kept.join(", ") } : {};
}

/** The JSON of a scan (docs/specification.md, "Scan"; docs/decisions.md, "Shapes"). */
const renderScan = (scan: ScanRow): string | PackedBody =>
  scan.status === "completed" ? packedBody(scan) : JSON.stringify(withoutReport(scan));

/** The same as text; of a completed scan, as long as its report. */
export async function scanText(scan: ScanRow): Promise<string> {
  const rendered = renderScan(scan);
  return typeof rendered === "string" ? rendered : unpacked(rendered.bytes);
}

/** The JSON of a completed scan, packed: the members of the stored report after its own. Nothing is parsed or decompressed. */
export const packedScan = (scan: ScanRow): Uint8Array => packedBody(scan).bytes;

function packedBody(scan: ScanRow): PackedBody {
  const { id, status, url, createdAt, endedAt, packedReport } = scan;
  if (!packedReport || endedAt === null) throw new Error(`The completed scan ${id} has no report`);
  const times = { createdAt: createdAt.toISOString(), completedAt: endedAt.toISOString() };
  return new PackedBody(packedReport, JSON.stringify({ id, status, url, ...times, ...filtersOf(scan) }));
}

/** A scan that is processing or has failed. */
export function withoutReport(scan: ScanRow): Exclude<Scan, { status: "completed" }> {
  const { id, url, status, progress, failure, journal } = scan;
  const terms = { ...filtersOf(scan), ...modeOf(scan) };
  const own = { id, status, url, createdAt: scan.createdAt.toISOString(), ...terms, ...UNASSESSED };
  if (status === "processing") return { ...own, status, progress };
  if (!failure) throw new Error(`The failed scan ${id} has no failure`);
  return { ...own, status: "failed", error: failure, ...(journal && { journal: [...journal] }) };
}
