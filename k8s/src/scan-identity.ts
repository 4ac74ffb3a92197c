import { createHash } from "node:crypto";
import { isScanId, newScanId } from "@glovebox/contract";
import { API_NAME, LABELS } from "./names.ts";
import type { ScanResource } from "./scan-resource.ts";

type Identified = {
  readonly metadata: Pick<ScanResource["metadata"], "name" | "uid" | "creationTimestamp" | "labels">;
};

/** It claims that the API created it for the row of its name. The row decides: it has the uid. */
export const claimsRow = ({ metadata }: Pick<Identified, "metadata">): boolean =>
  metadata.labels?.[LABELS.managedBy] === API_NAME && isScanId(metadata.name);

/**
 * The id of a Scan in the store. A Scan that the API made is named by it; one applied by hand, whatever its name, gets
 * an id that follows from its uid and creation, so that adopting it twice is adopting it once.
 */
export function scanIdOf(scan: Identified): string {
  const { metadata } = scan;
  if (claimsRow(scan)) return metadata.name;
  const digest = createHash("sha256").update(metadata.uid).digest();
  return newScanId(new Date(metadata.creationTimestamp), digest.subarray(0, 10));
}
