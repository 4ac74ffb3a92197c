import type { ScanResource } from "@glovebox/k8s";
import type { Sighting } from "./observe.ts";

/**
 * Scans as they are since their status was written here, until the cache shows it: a decision on the older view would
 * be refused as stale. Each write is on condition of the version seen, so nobody else's came between the two.
 */
export class Written {
  /** By uid; of each the version that the cache had. */
  readonly #scans = new Map<string, { readonly seen: string | undefined; readonly scan: ScanResource }>();

  note({ scan: { metadata } }: Sighting, scan: ScanResource): void {
    this.#scans.set(metadata.uid, { seen: metadata.resourceVersion, scan });
  }

  /** The Scan as it was written, while the cache still shows the version before. */
  since({ scan: { metadata }, isGone }: Sighting): ScanResource | undefined {
    const written = this.#scans.get(metadata.uid);
    if (written && !isGone && written.seen === metadata.resourceVersion) return written.scan;
    this.#scans.delete(metadata.uid);
    return undefined;
  }
}
