import type { LaunchableScan } from "@glovebox/store";

/** Whoever accepted a scan launches it at once: only what is older than this was left behind. In milliseconds. */
export const LEFT_BEHIND_MS = 5_000;
/** A scan launched so long ago has a resource, unless that was lost. In milliseconds. */
export const SETTLED_MS = 60_000;
/** A scan that could not be launched for so long is not waited for any more. In milliseconds. */
export const GIVE_UP_MS = 3_600_000;

export interface SweepView {
  /** Scans that nobody noted as launched. */
  readonly unlaunched: readonly LaunchableScan[];
  /** Scans launched some time ago, when their resources were looked at too. */
  readonly settled?:
    | { readonly scans: readonly LaunchableScan[]; readonly present: ReadonlySet<string> }
    | undefined;
}

/** Which scans are launched again: those that never were, then those whose resource is missing; each once. */
export function toLaunch({ unlaunched, settled }: SweepView): LaunchableScan[] {
  const missing = settled?.scans.filter(({ id }) => !settled.present.has(id)) ?? [];
  return [...new Map([...unlaunched, ...missing].map((scan) => [scan.id, scan])).values()];
}

/** What becomes of a scan that could not be launched: it waits for the next sweep, or has failed. */
export function afterFailure(
  failure: { readonly refused: boolean; readonly createdAt: Date },
  now: Date,
): "wait" | "fail" {
  const age = now.getTime() - failure.createdAt.getTime();
  return failure.refused || age >= GIVE_UP_MS ? "fail" : "wait";
}
