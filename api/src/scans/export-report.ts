import { ApiError, planIncludes } from "@glovebox/contract";
import { FORMATS, FORMAT_NAMES, exportFileName, type Format } from "@glovebox/report";
import type { Account, ScanRow } from "@glovebox/store";
import * as z from "zod";
import type { Services } from "../deps.ts";
import { PackedBody } from "../http/packed-body.ts";
import { RETRY_AFTER, type HttpResponse } from "../http/respond.ts";
import { createRoute } from "../http/route.ts";
import { noSuchScan, scanParams } from "./get-scan.ts";
import { packedScan, scanPath } from "./scan-response.ts";

export const exportQuery = z.object({
  format: z
    .enum(FORMAT_NAMES, `must be one of ${FORMAT_NAMES.join(", ")}`)
    .meta({ description: "The report in that format (docs/exports.md)" }),
});

const MEDIA_TYPES = [...new Set(FORMAT_NAMES.map((name) => FORMATS[name].mediaType.split(";")[0]!))];

/** The report of a completed scan as a file. */
export const exportReport = createRoute({
  operationId: "exportReport",
  method: "get",
  path: "/v1/scan/{id}/report",
  access: "key",
  scope: "scans:read",
  summary: "Get a completed scan in the format of another tool",
  description:
    "Requires a plan with report exports. A scan without a report returns 409 `scan_not_completed`; while it is processing, with " +
    "`Retry-After`.",
  params: scanParams,
  query: exportQuery,
  response: {
    status: 200,
    description: "A file.",
    content: { type: MEDIA_TYPES },
    headers: ["Content-Disposition"],
  },
  errors: ["invalid_request", "not_found", "scan_not_completed"],
  handler: ({ params: { id }, query: { format }, principal: { account } }, services: Services) =>
    exportedReport(services, { account, id, format }),
});

/**
 * The report of a scan of the account as a file, with what was decided about its findings.
 * @throws ApiError `forbidden`, `not_found`, `scan_not_completed` or `unavailable`
 */
export async function exportedReport(
  { store, now, reports }: Pick<Services, "store" | "now" | "reports">,
  { account, id, format }: { readonly account: Account; readonly id: string; readonly format: Format },
): Promise<HttpResponse> {
  if (!planIncludes(account.plan, "reportExports"))
    throw new ApiError("forbidden", "The plan does not include report exports.");
  const row = await store.scans.find(account.id, id);
  if (!row) throw noSuchScan();
  if (row.status !== "completed") throw notCompleted(row);
  const body = await reports.run(account.id, "export", async () => {
    const completed = await store.scans.get(account.id, id);
    if (!completed) throw noSuchScan();
    const marks = await store.findings.marksOf(account.id, id);
    return { scan: packedScan(completed), format, marks, now: now() };
  });
  return exportResponse(row, format, body);
}

function notCompleted({ id, status }: ScanRow): ApiError {
  if (status === "failed") return new ApiError("scan_not_completed", "The scan failed and has no report.");
  return new ApiError("scan_not_completed", "The scan is still processing.", {
    headers: { Location: scanPath(id), ...RETRY_AFTER },
  });
}

function exportResponse(scan: Pick<ScanRow, "id" | "url">, format: Format, body: Uint8Array): HttpResponse {
  return {
    status: 200,
    headers: {
      "Content-Type": FORMATS[format].mediaType,
      "Content-Disposition": `attachment; filename="${exportFileName(scan, format)}"`,
      // Where a browser shows it all the same: without scripts, and with no part in this origin.
      "Content-Security-Policy": "sandbox",
    },
    body: new PackedBody(body),
  };
}
