import { UNASSESSED, scanSchema } from "@glovebox/contract";
import type { ScanRow } from "@glovebox/store";
import type { WaitPreference } from "../http/prefer.ts";
import { RETRY_AFTER, type Reply } from "../http/respond.ts";
import type { ResponseDescription } from "../http/route.ts";

/** The documentation of `scanReply`. */
export const scanResponse: ResponseDescription = {
  status: 200,
  description:
    "The scan. While it is processing, Location and Retry-After give the path and the time of the next poll.",
  content: { type: "application/json", schema: scanSchema },
  headers: ["Location", "Retry-After", "Preference-Applied"],
};

/** 200 with the scan; Location and Retry-After while it is processing. */
export function scanReply(scan: ScanRow, preference: Record<string, string>): Reply {
  const waiting = scan.status === "processing" ? { Location: scanPath(scan.id), ...RETRY_AFTER } : {};
  return { status: 200, headers: { ...preference, ...waiting }, body: renderScan(scan) };
}

export const scanPath = (id: string): string => `/v1/scan/${id}`;

/** The Preference-Applied header (RFC 7240, section 3); a wait that was cut short was not applied. */
export function preferenceApplied({ applied }: WaitPreference, cutShort: boolean): Record<string, string> {
  const kept = applied?.split(", ").filter((preference) => !(cutShort && preference.startsWith("wait=")));
  return kept?.length ? { "Preference-Applied": kept.join(", ") } : {};
}

/**
 * The JSON of a scan (docs/specification.md, "Scan"; docs/decisions.md, "Shapes"). The stored report is JSON text: its members
 * are appended to those of the scan without parsing it.
 */
export function renderScan(scan: ScanRow): string {
  const { id, status, url, reportJson } = scan;
  const createdAt = scan.createdAt.toISOString();
  if (status !== "completed")
    return JSON.stringify({ id, status, url, createdAt, ...UNASSESSED, ...statusFields(scan) });

  if (!reportJson || scan.endedAt === null) throw new Error(`The completed scan ${id} has no report`);
  const own = JSON.stringify({ id, status, url, createdAt, completedAt: scan.endedAt.toISOString() });
  return joinObjects(own, reportJson);
}

function statusFields({ id, status, progress, failure }: ScanRow): object {
  if (status === "processing") return { progress };
  if (!failure) throw new Error(`The failed scan ${id} has no failure`);
  return { error: failure };
}

/** The members of two non-empty JSON objects, by their text, in one object. */
function joinObjects(first: string, second: string): string {
  return `${first.slice(0, first.lastIndexOf("}"))},${second.slice(second.indexOf("{") + 1)}`;
}
