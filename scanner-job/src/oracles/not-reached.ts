import type { Reply } from "../transport/exchange.ts";
import { inconclusive, type Verdict } from "../engine/check.ts";
import { isBlocked, isDenied } from "./judge.ts";

/**
 * Inconclusive where something before the code answered a probe of its input: a demand for credentials, a firewall,
 * a limit. Undefined where the code itself answered, be it with a fault.
 */
export function notReached(reply: Reply): Verdict | undefined {
  if (isBlocked(reply)) return inconclusive("A firewall or a limit answered in place of the API.");
  return isDenied(reply)
    ? inconclusive("The operation asks for credentials, or refuses such values.")
    : undefined;
}
