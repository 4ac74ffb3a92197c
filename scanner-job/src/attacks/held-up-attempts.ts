import { inconclusive, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { lockoutIn } from "../oracles/lockout.ts";
import { isSlowedDown } from "../oracles/throttling.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/**
 * A pass where a series of similar attempts was held up; undefined where it was not. Where the whole target became slower meanwhile,
 * nothing is said about the attempts. @throws NetworkError
 */
export async function verdictOnHeldUp(
  responses: readonly ProbeResponse[],
  probe: Probe,
): Promise<Verdict | undefined> {
  const lockout = lockoutIn(responses);
  if (!lockout?.isDelay) return lockout && pass();
  const entry = await probe.again(probe.profile.entry.request);
  return isSlowedDown([...responses.slice(0, 3), entry, entry, entry])
    ? inconclusive("The whole target became slower during the attempts.")
    : pass();
}
