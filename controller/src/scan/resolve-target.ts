import { scanFailure, type Pin } from "@glovebox/contract";
import {
  createEgressPolicy,
  resolvePins,
  type EgressAllowance,
  type EgressPolicy,
  type Lookup,
} from "@glovebox/egress";
import type { ScanRequestOnRecord, TargetAnswer } from "./world.ts";

export interface ResolveDeps {
  readonly allow: readonly EgressAllowance[];
  /** Ranges and addresses of the cluster, of its nodes and of its API server, as far as known now. */
  readonly deny: () => readonly string[];
  readonly lookup: Lookup;
}

/**
 * The only hosts, addresses and ports that a scan may reach, each host resolved once. A target that is refused or
 * unknown fails the scan; a document's host that is gets no pin, and the scan goes on without the document.
 */
export async function resolveTarget(
  { url, specUrl }: ScanRequestOnRecord,
  { allow, deny, lookup }: ResolveDeps,
): Promise<TargetAnswer> {
  const policy = createEgressPolicy({ allow, deny: deny() });
  const target = new URL(url);
  const resolved = await resolvePins(target, { policy, lookup });
  if (!resolved.ok) {
    const code = resolved.reason === "refused" ? "egress_refused" : "name_not_resolved";
    return { ok: false, failure: scanFailure(code, `${resolved.message}.`) };
  }
  const pin = pinOf(target, resolved.addresses, policy);
  if (specUrl === null) return { ok: true, pins: [pin] };

  const spec = new URL(specUrl);
  const documents = await resolvePins(spec, { policy, lookup });
  if (!documents.ok) return { ok: true, pins: [pin] };
  return { ok: true, pins: together(pin, pinOf(spec, documents.addresses, policy)) };
}

const together = (pin: Pin, other: Pin): Pin[] =>
  other.host === pin.host ? [{ ...pin, ports: [...new Set([...pin.ports, ...other.ports])] }] : [pin, other];

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
