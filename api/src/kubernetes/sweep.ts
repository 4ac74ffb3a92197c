import { LONGEST_SCAN_SECONDS } from "@glovebox/k8s";
import type { Launched, LaunchableScan } from "@glovebox/store";

/** Whoever accepted a scan launches it at once: only what is older than this was left behind. In milliseconds. */
export const LEFT_BEHIND_MS = 5_000;
/** A scan launched so long ago has a resource, unless that was deleted. In milliseconds. */
export const SETTLED_MS = 60_000;
/** A scan that could not be launched for so long is not waited for any more. In milliseconds. */
export const GIVE_UP_MS = 3_600_000;
/** No controller gives a scan so long: whoever should have ended it is gone. In milliseconds. */
export const OVERDUE_MS = LONGEST_SCAN_SECONDS * 1000;

export interface SweepView {
  /** Scans that nobody noted as launched. */
  readonly unlaunched: readonly LaunchableScan[];
  /** Scans launched some time ago, when their resources were looked at too: the uids of those that are there. */
  readonly settled?:
    | { readonly scans: readonly Launched[]; readonly present: ReadonlySet<string> }
    | undefined;
}

/**
 * Ids of scans whose resource was deleted while no controller watched: they count as cancelled, as they do when one
 * watches. Whoever deletes the resource wants its target left alone, so it is not made anew.
 */
export const deletedBetweenTimes = ({ settled }: SweepView): string[] =>
  settled ? settled.scans.filter(({ uid }) => !settled.present.has(uid)).map(({ id }) => id) : [];

/** What becomes of a scan that could not be launched: it waits for the next sweep, or has failed. */
export function afterFailure(
  failure: { readonly refused: boolean; readonly createdAt: Date },
  now: Date,
): "wait" | "fail" {
  const age = now.getTime() - failure.createdAt.getTime();
  return failure.refused || age >= GIVE_UP_MS ? "fail" : "wait";
}
