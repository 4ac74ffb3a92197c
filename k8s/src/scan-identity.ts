import { createHash } from "node:crypto";
import { isScanId, newScanId } from "@glovebox/contract";
import type { ScanResource } from "./scan-resource.ts";

type Identified = { readonly metadata: Pick<ScanResource["metadata"], "name" | "uid" | "creationTimestamp"> };

/**
 * The id of a Scan in the store. A Scan that the API made is named by it; one applied by hand gets an id that follows
 * from its uid and creation, so that adopting it twice is adopting it once.
 */
export function scanIdOf({ metadata }: Identified): string {
  if (isScanId(metadata.name)) return metadata.name;
  const digest = createHash("sha256").update(metadata.uid).digest();
  return newScanId(new Date(metadata.creationTimestamp), digest.subarray(0, 10));
}
