import type { LaunchOrder, Launched } from "@glovebox/store";
import type { PresentScans } from "./scan-resources.ts";

/** Whoever accepted a scan launches it at once: only what is older than this was left behind. In seconds. */
export const LEFT_BEHIND_SECONDS = 5;
/** A scan launched so long ago has a resource, unless that was deleted. In seconds. */
export const SETTLED_SECONDS = 60;
/** A scan that could not be launched for so long is not waited for any more. In seconds. */
export const GIVE_UP_SECONDS = 3_600;
export interface SweepView {
  /** Scans that nobody noted as launched. */
  readonly unlaunched: readonly (LaunchOrder & { readonly ageSeconds: number })[];
  /** Scans launched some time ago, when the resources were looked at too. */
  readonly settled?:
    | { readonly scans: readonly Launched[]; readonly present: Pick<PresentScans, "uids" | "namespaces"> }
    | undefined;
}

/**
 * Ids of scans whose resource was deleted while no controller watched: they count as cancelled, as they do when one
 * watches. Whoever deletes the resource wants its target left alone, so it is not made anew.
 */
export function deletedBetweenTimes({ settled }: SweepView): string[] {
  if (!settled) return [];
  const { uids, namespaces } = settled.present;
  const isDeleted = ({ uid, namespace }: Launched): boolean => namespaces.has(namespace) && !uids.has(uid);
  return settled.scans.filter(isDeleted).map(({ id }) => id);
}

/** What becomes of a scan that could not be launched: it waits for the next sweep, or has failed. */
export const afterFailure = (failure: {
  readonly refused: boolean;
  readonly ageSeconds: number;
}): "wait" | "fail" => (failure.refused || failure.ageSeconds >= GIVE_UP_SECONDS ? "fail" : "wait");
