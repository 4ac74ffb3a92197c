import type { ScanRow, StoredScan } from "@glovebox/store";

/**
 * The JSON of a scan (docs/specification.md, "Scan"; docs/decisions.md, "Shapes"). A report is stored as it will be
 * sent, so its members are joined to the scan's own by their text: nothing is parsed, however large it is.
 */
export function renderScan({ scan, reportJson }: StoredScan): string {
  const { id, status, url } = scan;
  const createdAt = scan.createdAt.toISOString();
  if (status !== "completed")
    return JSON.stringify({ id, status, url, createdAt, ...UNASSESSED, ...whatIsKnown(scan) });

  if (!reportJson || scan.endedAt === null) throw new Error(`The completed scan ${id} has no report`);
  const own = JSON.stringify({ id, status, url, createdAt, completedAt: scan.endedAt.toISOString() });
  return joinObjects(own, reportJson);
}

const UNASSESSED = { score: null, grade: null, completedAt: null, categories: {}, findings: [] };

function whatIsKnown({ id, status, progress, failure }: ScanRow): object {
  if (status === "processing") return { progress };
  if (!failure) throw new Error(`The failed scan ${id} has no failure`);
  return { error: failure };
}

/** The members of two non-empty JSON objects, by their text, in one object. */
function joinObjects(first: string, second: string): string {
  return `${first.slice(0, first.lastIndexOf("}"))},${second.slice(second.indexOf("{") + 1)}`;
}
