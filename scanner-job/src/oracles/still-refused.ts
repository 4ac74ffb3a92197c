import type { ProbeRequest } from "../transport/exchange.ts";
import { withHeader } from "../attacks/credentials.ts";
import { isDenied } from "./judge.ts";
import type { Probe } from "../engine/probe.ts";

/**
 * As controls: asks twice more for what was refused before. A bypass of a refusal proves nothing where the same request
 * is refused at one time and answered at another. The header keeps the answer from being one that is already there.
 */
export async function isStillRefused(probe: Probe, request: ProbeRequest): Promise<boolean> {
  for (const directive of ["no-cache", "no-store"])
    if (!isDenied(await probe.control(withHeader(request, "cache-control", directive)))) return false;
  return true;
}
