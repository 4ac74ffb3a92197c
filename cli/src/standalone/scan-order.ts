import {
  DEFAULT_LIMITS,
  scanFailure,
  type IdentitiesFile,
  type ScanFailure,
  type ScanOrder,
} from "@glovebox/contract";
import { scanOrder, specOf } from "@glovebox/scan-run";
import { pinTarget, refusalOfPlainHttp, type EgressAllowance, type PinDeps } from "@glovebox/egress";
import { IdentitiesUnreadable, requestOf, type LaunchableScan, type ScanIdentities } from "@glovebox/store";
import type { DemoAuthority } from "../demo/demo-process.ts";

export interface OrderDeps extends PinDeps {
  /** Additional certificate authorities for every scan. */
  readonly extraCa: string | undefined;
  readonly demo: DemoAuthority | undefined;
  /** Where scans may go over plain HTTP, beside loopback. */
  readonly allow: readonly EgressAllowance[];
  readonly identities: Pick<ScanIdentities, "ofScan">;
}

/** The order for the scanner of a submitted scan, or the failure of a scan that cannot run. */
export async function scanOrderFor(
  scan: LaunchableScan,
  deps: OrderDeps,
): Promise<{ order: ScanOrder } | { failure: ScanFailure }> {
  const { url, specUrl, ...terms } = requestOf(scan);
  const target = new URL(url);
  const spec = specUrl === undefined ? undefined : new URL(specUrl);
  const pinned = await pinTarget({ target, spec }, deps);
  if (!pinned.ok) return { failure: scanFailure(pinned.code, `${pinned.message}.`) };
  const urls = spec ? [target, spec] : [target];
  const refusal = refusalOfPlainHttp(urls, pinned.pins, { allow: deps.allow, allowPrivate: false });
  if (refusal) return { failure: scanFailure("egress_refused", refusal) };
  const file = await identitiesOf(scan, deps);
  if (file === "unreadable")
    return { failure: scanFailure("could_not_start", "Its identities cannot be decrypted.") };
  const extraCa = trustedBy(urls, deps);
  const order = scanOrder(
    { scanId: scan.id, url, spec: specOf({ specUrl }), pins: pinned.pins },
    { ...terms, ...file, extraCa: extraCa || undefined, limits: DEFAULT_LIMITS },
  );
  return { order };
}

/** A scan that was submitted with identities never runs without them: it would test less than it was asked to. */
async function identitiesOf(
  { id, identityNames }: LaunchableScan,
  { identities }: OrderDeps,
): Promise<IdentitiesFile | "unreadable" | undefined> {
  if (identityNames === null) return undefined;
  try {
    return (await identities.ofScan(id)) ?? "unreadable";
  } catch (error) {
    if (error instanceof IdentitiesUnreadable) return "unreadable";
    throw error;
  }
}

function trustedBy(urls: readonly URL[], { extraCa = "", demo }: OrderDeps): string {
  return demo && urls.some(({ origin }) => origin === demo.origin) ? extraCa + demo.caPem : extraCa;
}
