import type { ScanResource } from "@glovebox/k8s";

/**
 * What is looked at of a Scan: most of those in a cluster have ended and only wait for their time to go, so of their
 * status no more is held than that they have ended.
 */
export function trimScan(scan: ScanResource): ScanResource {
  const { status } = scan;
  if (status?.finishedAt === undefined) return scan;
  const { phase, startedAt, finishedAt } = status;
  return { ...scan, status: { ...(phase && { phase }), ...(startedAt && { startedAt }), finishedAt } };
}
