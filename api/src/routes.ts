import { downloadReport } from "./admin/download-report.ts";
import { readScan } from "./admin/read-scan.ts";
import type { Services } from "./deps.ts";
import type { Route } from "./http/route.ts";
import { postMcp } from "./mcp/post-mcp.ts";
import { openApiDocument, openApiRoute } from "./openapi.ts";
import { deleteScan } from "./scans/delete-scan.ts";
import { exportReport } from "./scans/export-report.ts";
import { getScan } from "./scans/get-scan.ts";
import { listScans } from "./scans/list-scans.ts";
import { streamScanEvents } from "./scans/stream-scan-events.ts";
import { SCHEDULE_ROUTES } from "./schedules/routes.ts";
import { submitScan } from "./scans/submit-scan.ts";
import { SIGN_IN_PAGES } from "./sign-in/pages.ts";
import { getDocs, getDocsAsset } from "./system/docs-page.ts";
import { WEBHOOK_ROUTES } from "./webhooks/routes.ts";
import { getHealth, getMetrics, getReadiness } from "./system/probes.ts";

/** Every operation of the service, in the order of the OpenAPI document. */
export const ROUTES: readonly Route<Services>[] = [
  submitScan,
  getScan,
  exportReport,
  streamScanEvents,
  deleteScan,
  listScans,
  ...WEBHOOK_ROUTES,
  ...SCHEDULE_ROUTES,
  postMcp,
  openApiRoute(() => ROUTES),
  getDocs,
  getDocsAsset,
  getHealth,
  getReadiness,
  getMetrics,
  downloadReport,
  readScan,
  ...SIGN_IN_PAGES,
];

export const buildOpenApiDocument = (): ReturnType<typeof openApiDocument> => openApiDocument(ROUTES);
