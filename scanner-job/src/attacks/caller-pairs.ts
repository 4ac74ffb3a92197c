import type { Caller } from "@glovebox/contract";
import { inconclusive, notApplicable, type TargetProfile, type Verdict } from "../engine/check.ts";
import type { CallerView } from "../engine/addressing.ts";
import type { Probe } from "../engine/probe.ts";

/** Two identities: the objects of one are asked for as the other. */
export interface CallerPair {
  readonly owner: Caller;
  readonly attacker: Caller;
}

/**
 * The pairs of identities of which the second must not see the objects of the first. An administrator may see all, and users of
 * one tenant those of each other. Owners that are users come first: an administrator lists what belongs to others. Pure.
 * @internal
 */
export function callerPairs(callers: readonly Caller[]): CallerPair[] {
  const rank = ({ owner, attacker }: CallerPair): number =>
    (owner.role === "admin" ? 2 : 0) + (owner.tenant === attacker.tenant ? 1 : 0);
  return callers
    .flatMap((owner) => callers.map((attacker) => ({ owner, attacker })))
    .filter(
      ({ owner, attacker }) =>
        owner !== attacker && attacker.role === "user" && !areOfOneTenant(owner, attacker),
    )
    .toSorted((a, b) => rank(a) - rank(b));
}

const areOfOneTenant = (a: Caller, b: Caller): boolean => a.tenant !== undefined && a.tenant === b.tenant;

export const hasCallerPairs = ({ callers }: Pick<TargetProfile, "callers">): boolean =>
  callerPairs(callers).length > 0;

export const NO_CALLER_PAIRS =
  "Fewer than two identities are given of which one must not see the objects of the other.";

/** Both identities of a pair, and what they see. */
export interface ComparedCallers extends CallerPair {
  readonly ofOwner: CallerView;
  readonly ofAttacker: CallerView;
}

/** Pairs that are compared until two have passed. */
const MAX_PAIRS = 4;
const ENOUGH = 2;

/** The verdict over the pairs of identities: a failure of any of them, else a pass of any. */
export async function overCallerPairs(
  probe: Probe,
  examine: (callers: ComparedCallers) => Promise<Verdict>,
): Promise<Verdict> {
  const verdicts: Verdict[] = [];
  for (const { owner, attacker } of callerPairs(probe.profile.callers).slice(0, MAX_PAIRS)) {
    const [ofOwner, ofAttacker] = [probe.as(owner.name), probe.as(attacker.name)];
    const verdict = await examine({ owner, attacker, ofOwner, ofAttacker });
    if (verdict.outcome === "fail") return verdict;
    verdicts.push(verdict);
    if (verdicts.filter(({ outcome }) => outcome === "pass").length === ENOUGH) break;
  }
  return (
    verdicts.find(({ outcome }) => outcome === "pass") ??
    verdicts.find((verdict) => verdict.outcome === "inconclusive" && verdict.applies !== false) ??
    verdicts[0] ??
    notApplicable(NO_CALLER_PAIRS)
  );
}

/** Nothing of the owner is known to ask for. */
export const nothingOwned = ({ owner, attacker }: CallerPair): Verdict =>
  inconclusive(`No object is known that ${owner.name} can read and ${attacker.name} does not list.`);
