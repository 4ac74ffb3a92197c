import { principalOf, type ApiRequest, type ApiResponse } from "../http/request-context.ts";
import { respond } from "../http/respond.ts";
import { noSuchScan, scanIdOf } from "./read-scan.ts";
import type { ScanServices } from "./services.ts";

/** DELETE /v1/scan/{id}: cancels a processing scan, erases an ended one. */
export async function removeScan(services: ScanServices, req: ApiRequest, res: ApiResponse): Promise<void> {
  const id = scanIdOf(req);
  const removed = await services.store.scans.remove(principalOf(res).account.id, id);
  if (removed === "missing") throw noSuchScan();
  if (removed === "cancelled") await cancelWork(services, id);
  respond(res, { status: 204 });
}

// The scan has ended whether or not its worker hears of it: what a worker records afterwards is not accepted.
async function cancelWork({ launcher, logger }: ScanServices, id: string): Promise<void> {
  try {
    await launcher.cancel(id);
  } catch (error) {
    logger.warn({ scan: id, error: (error as Error).name }, "A cancelled scan could not be stopped at once");
  }
}
