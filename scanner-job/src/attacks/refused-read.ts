import { inconclusive, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { isDenied, withoutMeaning } from "../oracles/judge.ts";
import type { Reply } from "../transport/exchange.ts";

/**
 * For checks of ways around a refusal: examines a read that is refused to a caller without credentials, as it is
 * ordinarily sent. Where it is not refused there is nothing to get around.
 */
export async function whereRefused(
  probe: Probe,
  operation: Operation,
  examine: (refused: Reply) => Promise<Verdict>,
): Promise<Verdict> {
  const reply = await probe.control(await probe.withRealIds(operation));
  const unclear = withoutMeaning(reply);
  if (unclear) return inconclusive(unclear);
  return isDenied(reply) ? examine(reply) : pass();
}
