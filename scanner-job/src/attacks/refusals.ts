import { inconclusive, notApplicable, pass, type Verdict } from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { BLOCKED, isBlocked, isDenied, isSuccess, withoutMeaning } from "../oracles/classify.ts";
import { ROUNDS } from "../oracles/rounds.ts";
import { sentAs } from "./roles.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";

/**
 * For checks of ways around a refusal: examines a read that is refused to the caller, or to one without credentials, as it is
 * ordinarily sent. Where it is not refused there is nothing to get around; where it is only at times, nothing is proven.
 */
export async function whereRefused(
  probe: Probe,
  { operation, caller }: { readonly operation: Operation; readonly caller?: string },
  examine: (refused: ProbeResponse) => Promise<Verdict>,
): Promise<Verdict> {
  const request = await probe.withRealIds(operation);
  const response = await probe.control(caller === undefined ? request : sentAs(request, caller));
  const unclear = withoutMeaning(response);
  if (unclear) return inconclusive(unclear);
  if (!isDenied(response))
    return notApplicable("The operation does not refuse the caller, so there is no refusal to bypass.");
  const verdict = await examine(response);
  return verdict.outcome !== "fail" || (await isStillRefused(probe, response.request))
    ? verdict
    : inconclusive("The same request is refused intermittently.");
}

/**
 * For checks of what a response holds: examines what a read returns to a caller without credentials, as it is normally
 * sent, and after a redirect within the host. Where it is refused, is permanently gone (410) or leads elsewhere, nothing is
 * disclosed.
 */
export async function whereHandled(
  probe: Probe,
  operation: Operation,
  examine: (response: ProbeResponse) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  const first = await probe.baseline(await probe.withRealIds(operation));
  if (isDenied(first)) return pass();
  const { redirectTarget } = first;
  const isOwn = redirectTarget?.origin === new URL(first.request.url).origin;
  if (first.status === 410 || (redirectTarget && !isOwn)) return pass();
  const response = redirectTarget ? await probe.baseline(readOf(redirectTarget.href)) : first;
  if (isDenied(response)) return pass();
  const unclear = withoutMeaning(response);
  if (unclear) return inconclusive(unclear);
  return isSuccess(response)
    ? examine(response)
    : inconclusive(`The read returned status ${response.status}.`);
}

/**
 * As controls: repeats several times what was refused before. A bypass of a refusal proves nothing where the same
 * request is refused at one time and accepted at another.
 * @internal
 */
export async function isStillRefused(probe: Probe, request: ProbeRequest): Promise<boolean> {
  for (let round = 0; round < 2 * ROUNDS; round++) if (!isDenied(await probe.again(request))) return false;
  return true;
}

/**
 * Inconclusive where something before the code responded to a probe of its input: a demand for credentials, a firewall,
 * a limit. Undefined where the code itself responded, be it with a fault.
 */
export function notReached(response: ProbeResponse): Verdict | undefined {
  if (isBlocked(response)) return inconclusive(BLOCKED);
  return isDenied(response)
    ? inconclusive("The operation requires credentials, or rejects such values.")
    : undefined;
}
