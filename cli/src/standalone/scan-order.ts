import {
  DEFAULT_LIMITS,
  scanFailure,
  type ScanFailure,
  type ScanOrder,
  type ScanRequest,
} from "@glovebox/contract";
import { scanOrder, specOf } from "@glovebox/scan-run";
import { pinTarget, type PinDeps } from "@glovebox/egress";
import { requestOf, type ScanRow } from "@glovebox/store";
import type { DemoAuthority } from "../demo/demo-process.ts";

export interface OrderDeps extends PinDeps {
  /** Additional certificate authorities for every scan. */
  readonly extraCa: string | undefined;
  readonly demo: DemoAuthority | undefined;
}

/** The order for the scanner of a submitted scan, or the failure of a scan that cannot run. */
export async function scanOrderFor(
  scan: Pick<ScanRow, "id" | keyof ScanRequest>,
  deps: OrderDeps,
): Promise<{ order: ScanOrder } | { failure: ScanFailure }> {
  const { url, specUrl, context } = requestOf(scan);
  const target = new URL(url);
  const spec = specUrl === undefined ? undefined : new URL(specUrl);
  const pinned = await pinTarget({ target, spec }, deps);
  if (!pinned.ok) return { failure: scanFailure(pinned.code, `${pinned.message}.`) };
  const extraCa = trustedBy(spec ? [target, spec] : [target], deps);
  const order = scanOrder(
    { scanId: scan.id, url, spec: specOf({ specUrl }), pins: pinned.pins },
    { context, extraCa: extraCa || undefined, limits: DEFAULT_LIMITS },
  );
  return { order };
}

function trustedBy(urls: readonly URL[], { extraCa = "", demo }: OrderDeps): string {
  return demo && urls.some(({ origin }) => origin === demo.origin) ? extraCa + demo.caPem : extraCa;
}
