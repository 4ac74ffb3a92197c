import { scanFailure, type Pin, type ScanFailure } from "@glovebox/contract";
import { resolvePins, type EgressPolicy, type Lookup } from "@glovebox/egress";

export interface PinDeps {
  readonly policy: EgressPolicy;
  readonly lookup: Lookup;
}

export type PinResult = { readonly pins: Pin[] } | { readonly failure: ScanFailure };

/**
 * The only hosts, addresses and ports that a scan of these URLs may reach. Each host is resolved once; one that is
 * refused or unknown fails the scan.
 */
export async function orderPins(urls: readonly URL[], deps: PinDeps): Promise<PinResult> {
  const pins = new Map<string, Pin>();
  for (const url of urls) {
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    const resolved = await resolvePins(url, deps);
    if (!resolved.ok) return { failure: failureOf(resolved) };
    const known = pins.get(host);
    const addresses = known?.addresses ?? resolved.addresses;
    const ports = new Set([...(known?.ports ?? []), ...portsOf(url, addresses, deps.policy)]);
    pins.set(host, { host, addresses, ports: [...ports] });
  }
  return { pins: [...pins.values()] };
}

/** The URL's own port; beside 443 also 80, where a site is asked whether it redirects plain HTTP. */
function portsOf({ hostname, port }: URL, addresses: readonly string[], policy: EgressPolicy): number[] {
  if (port !== "") return [Number(port)];
  const plainAllowed = addresses.every((address) => policy.judge(address, 80, hostname).allowed);
  return plainAllowed ? [443, 80] : [443];
}

const failureOf = ({
  reason,
  message,
}: {
  reason: "not_resolved" | "refused";
  message: string;
}): ScanFailure => scanFailure(reason === "refused" ? "egress_refused" : "name_not_resolved", `${message}.`);
