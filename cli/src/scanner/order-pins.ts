import { scanFailure, type Pin, type ScanFailure } from "@glovebox/contract";
import { pinTarget, type PinDeps } from "@glovebox/egress";

/** The pins of an order, or why its target has none. */
export async function orderPins(
  urls: Parameters<typeof pinTarget>[0],
  deps: PinDeps,
): Promise<{ readonly pins: Pin[] } | { readonly failure: ScanFailure }> {
  const pinned = await pinTarget(urls, deps);
  if (pinned.ok) return { pins: pinned.pins };
  const code = pinned.reason === "refused" ? "egress_refused" : "name_not_resolved";
  return { failure: scanFailure(code, `${pinned.message}.`) };
}
