import type { Handlers } from "./bind-routes.ts";
import { respond } from "./http/respond.ts";
import { buildOpenApiDocument } from "./openapi.ts";
import { listScans } from "./scans/list-scans.ts";
import { readScan } from "./scans/read-scan.ts";
import { removeScan } from "./scans/remove-scan.ts";
import { scanEvents } from "./scans/scan-events.ts";
import type { ScanServices } from "./scans/services.ts";
import { submitScan } from "./scans/submit-scan.ts";
import { docsAsset, docsPage } from "./system/docs-page.ts";
import { health, metricsPage, readiness } from "./system/probes.ts";

/** The handler of every operation in the route table. */
export function createHandlers(services: ScanServices, isRunning: () => boolean): Handlers {
  let openApiJson: string | undefined;
  return {
    submitScan: (req, res) => submitScan(services, req, res),
    getScan: (req, res) => readScan(services, req, res),
    streamScanEvents: (req, res) => scanEvents(services, req, res),
    deleteScan: (req, res) => removeScan(services, req, res),
    listScans: (req, res) => listScans(services, req, res),
    getOpenApiDocument: (_req, res) =>
      respond(res, { status: 200, body: (openApiJson ??= JSON.stringify(buildOpenApiDocument())) }),
    getDocs: docsPage,
    getDocsAsset: docsAsset,
    getHealth: health,
    getReadiness: readiness(services.store, isRunning),
    getMetrics: metricsPage(services.metrics),
  };
}
