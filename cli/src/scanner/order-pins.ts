import { scanFailure, type Pin, type ScanFailure } from "@glovebox/contract";
import { resolvePins, type EgressPolicy, type Lookup } from "@glovebox/egress";

export interface PinDeps {
  readonly policy: EgressPolicy;
  readonly lookup: Lookup;
}

export type PinResult = { readonly pins: Pin[] } | { readonly failure: ScanFailure };

/**
 * The only hosts, addresses and ports that a scan may reach. Each host is resolved once. A target that is refused or
 * unknown fails the scan; a document's host that is gets no pin, and the scan goes on without the document.
 */
export async function orderPins(
  { target, spec }: { readonly target: URL; readonly spec?: URL | undefined },
  deps: PinDeps,
): Promise<PinResult> {
  const resolved = await resolvePins(target, deps);
  if (!resolved.ok) return { failure: failureOf(resolved) };
  const pin = pinOf(target, resolved.addresses, deps.policy);
  if (!spec) return { pins: [pin] };

  const documents = await resolvePins(spec, deps);
  if (!documents.ok) return { pins: [pin] };
  const other = pinOf(spec, documents.addresses, deps.policy);
  if (other.host !== pin.host) return { pins: [pin, other] };
  return { pins: [{ ...pin, ports: [...new Set([...pin.ports, ...other.ports])] }] };
}

const pinOf = (url: URL, addresses: string[], policy: EgressPolicy): Pin => ({
  host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
  addresses,
  ports: portsOf(url, addresses, policy),
});

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
