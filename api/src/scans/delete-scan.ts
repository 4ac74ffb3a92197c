import type { Services } from "../deps.ts";
import { createRoute } from "../http/route.ts";
import { noSuchScan, scanParams } from "./get-scan.ts";

export const deleteScan = createRoute({
  operationId: "deleteScan",
  method: "delete",
  path: "/v1/scan/{id}",
  access: "key",
  scope: "scans:write",
  summary: "Cancel or erase a scan",
  description: "A processing scan becomes failed, with the error code `cancelled`; an ended one is erased.",
  params: scanParams,
  response: { status: 204, description: "Cancelled or erased." },
  errors: ["not_found"],
  async handler({ params: { id }, principal }, services: Services) {
    await removeScan(services, id, () => services.store.scans.remove(principal.account.id, id));
    return { status: 204 };
  },
});

type Removed = Awaited<ReturnType<Services["store"]["scans"]["remove"]>>;

type Stopping = Pick<Services, "launcher" | "logger">;

/**
 * Cancels or erases a scan by `remove`, and stops what it was doing.
 * @throws ApiError `not_found`
 */
export async function removeScan(
  services: Stopping,
  id: string,
  remove: () => Promise<Removed>,
): Promise<void> {
  const removed = await remove();
  if (removed === "missing") throw noSuchScan();
  if (removed === "cancelled") await stopCancelled(services, id);
}

/** Stops what a scan was doing whose cancellation is recorded. Never rejects. */
export async function stopCancelled({ launcher, logger }: Stopping, id: string): Promise<void> {
  // The scan has ended even if this fails: a later outcome of its worker is not recorded.
  await launcher.cancel(id).catch((error: Error) => {
    logger.warn({ scan: id, error: error.name }, "A cancelled scan could not be stopped at once");
  });
}
