import { ApiError, isScanId } from "@glovebox/contract";
import { principalOf, type ApiRequest, type ApiResponse } from "../http/request-context.ts";
import { waitPreference } from "../http/prefer.ts";
import { answerScan, preferenceHeader } from "./answer-scan.ts";
import type { ScanServices } from "./services.ts";
import { preferHeader } from "./submit-scan.ts";
import { waitForEnd } from "./wait-for-end.ts";

/** GET /v1/scan/{id}: the scan as it is, or with `Prefer: wait=N` as it is when it has ended. */
export async function readScan(services: ScanServices, req: ApiRequest, res: ApiResponse): Promise<void> {
  const id = scanIdOf(req);
  const accountId = principalOf(res).account.id;
  const preference = waitPreference(preferHeader(req), 0);
  const waited = await waitForEnd({
    hub: services.hub,
    res,
    scan: { id, accountId },
    seconds: preference.seconds,
    now: services.now,
    read: () => services.store.scans.get(accountId, id),
  });
  if (waited === "hungUp") return;
  if (!waited.found) throw noSuchScan();
  answerScan(res, waited.found, preferenceHeader(preference, waited.cutShort));
}

/** @throws ApiError `not_found` when the path holds nothing that could be an id. */
export function scanIdOf(req: ApiRequest): string {
  const { id } = req.params;
  if (typeof id !== "string" || !isScanId(id)) throw noSuchScan();
  return id;
}

/** The same for a scan that never was and one of another account (docs/specification.md, "Authentication"). */
export const noSuchScan = (): ApiError => new ApiError("not_found", "No such scan.");
