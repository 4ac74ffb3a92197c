import { ApiError } from "@glovebox/contract";
import type { Actor } from "@glovebox/store";
import type { Services } from "../deps.ts";
import { createRoute } from "../http/route.ts";
import { noSuchScan, scanParams } from "./get-scan.ts";

export const deleteScan = createRoute({
  operationId: "deleteScan",
  method: "delete",
  path: "/v1/scan/{id}",
  access: "key",
  scope: "scans:write",
  summary: "Cancel or delete a scan",
  description: "A processing scan becomes failed, with the error code `cancelled`; an ended scan is deleted.",
  params: scanParams,
  response: { status: 204, description: "Cancelled or deleted." },
  errors: ["not_found"],
  async handler({ params: { id }, principal: { account }, actor }, services: Services) {
    await removeScan(services, { id, accountId: account.id, actor });
    return { status: 204 };
  },
});

type Stopping = Pick<Services, "launcher" | "logger">;

/** Actions of the audit log. What is stored keeps its name. */
const ACTIONS = { cancelled: "scan.cancel", deleted: "scan.erase" } as const;
const REFUSALS = {
  cancelled: "the scan has already ended",
  deleted: "the scan is still running",
} as const;

export interface RemoveRequest {
  readonly id: string;
  readonly accountId: string;
  readonly actor: Actor;
  /** Undefined: either, by the state of the scan. */
  readonly wanted?: "cancelled" | "deleted";
}

/**
 * Cancels a processing scan or deletes an ended one, and stops what it was doing.
 * @throws ApiError `not_found`; `invalid_request` where the scan is not in the state for what is wanted
 */
export async function removeScan(
  services: Stopping & Pick<Services, "store">,
  { id, accountId, actor, wanted }: RemoveRequest,
): Promise<void> {
  // In the transaction, so that a scan that ends at this moment is not deleted instead of cancelled.
  const removed = await services.store.changing(
    actor,
    accountId,
  )(async ({ scans }) => {
    const row = await scans.get(accountId, id);
    const result = await scans.remove(accountId, id);
    if (result === "missing") throw noSuchScan();
    if (wanted && result !== wanted) throw new ApiError("invalid_request", REFUSALS[wanted], { field: "id" });
    const before = row && { url: row.url, status: row.status, grade: row.grade };
    return { result, entry: { action: ACTIONS[result], subject: id, before } };
  });
  if (removed === "cancelled") await stopCancelled(services, id);
}

/** Stops what a scan was doing whose cancellation is recorded. Never rejects. */
export async function stopCancelled({ launcher, logger }: Stopping, id: string): Promise<void> {
  // The scan has ended even if this fails: a later outcome of its worker is not recorded.
  await launcher.cancel(id).catch((error: Error) => {
    logger.warn({ scan: id, error: error.name }, "cancelled scan could not be stopped immediately");
  });
}
