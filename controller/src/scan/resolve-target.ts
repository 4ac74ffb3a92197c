import { scanFailure, type ScanRequest } from "@glovebox/contract";
import { createEgressPolicy, pinTarget, type EgressAllowance, type Lookup } from "@glovebox/egress";
import type { TargetAnswer } from "./world.ts";

export interface ResolveDeps {
  readonly allow: readonly EgressAllowance[];
  /** Ranges and addresses of the cluster and of its nodes, as far as known now. */
  readonly deny: () => readonly string[];
  /** Addresses of its API servers, as far as known now. */
  readonly controlPlane: () => readonly string[];
  readonly lookup: Lookup;
}

/** The pins of a scan, or why its target has none. */
export async function resolveTarget(
  { url, specUrl }: ScanRequest,
  { allow, deny, controlPlane, lookup }: ResolveDeps,
): Promise<TargetAnswer> {
  const policy = createEgressPolicy({ allow, deny: deny(), controlPlane: controlPlane() });
  const spec = specUrl === undefined ? undefined : new URL(specUrl);
  const pinned = await pinTarget({ target: new URL(url), spec }, { policy, lookup });
  if (pinned.ok) return pinned;
  return { ok: false, failure: scanFailure(pinned.code, `${pinned.message}.`) };
}
