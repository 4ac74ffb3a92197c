import { scanIdOf, type ScanResource, SCANS } from "@glovebox/k8s";
import { NamespacedCache, type NamespacedCacheOptions } from "@glovebox/kube";
import { BY_SCHEDULE, bySchedule } from "../kubernetes/ownership.ts";

/** Name of the index of Scans by their id. */
export const BY_SCAN_ID = "scanId";

/** The cache of the Scans of all namespaces. */
export const createScanCache = (
  options: Pick<
    NamespacedCacheOptions<ScanResource>,
    "transport" | "home" | "others" | "onChange" | "onFailure"
  >,
): NamespacedCache<ScanResource> =>
  new NamespacedCache({
    ...options,
    resource: SCANS,
    indexes: { [BY_SCAN_ID]: (scan) => [scanIdOf(scan)], [BY_SCHEDULE]: bySchedule },
    trim: trimScan,
  });

/**
 * Reduces the status of finished Scans to what is read, because most Scans in a cluster are finished and wait for their time to
 * live to end.
 */
export function trimScan(scan: ScanResource): ScanResource {
  const { status } = scan;
  if (status?.finishedAt === undefined) return scan;
  const { phase, startedAt, finishedAt, reason, grade } = status;
  // The schedule of a Scan takes its result over.
  const result = bySchedule(scan).length > 0 ? { ...(reason && { reason }), ...(grade && { grade }) } : {};
  return {
    ...scan,
    status: { ...(phase && { phase }), ...(startedAt && { startedAt }), finishedAt, ...result },
  };
}
