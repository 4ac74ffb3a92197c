import type { TargetProfile } from "../engine/check.ts";
import type { Operation } from "../inventory/operation.ts";

/**
 * The operations of a scan that a check examines in depth: the first few that qualify. One piece of code
 * most often serves all, so that the same at every operation would only repeat it.
 */
export class FirstFew {
  readonly #most: number;
  readonly #admitted = new WeakMap<TargetProfile, Set<Operation>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** True for the first few that ask, and for those always. */
  admits(profile: TargetProfile, operation: Operation): boolean {
    const admitted = this.#admitted.get(profile) ?? new Set();
    this.#admitted.set(profile, admitted);
    if (admitted.size < this.#most) admitted.add(operation);
    return admitted.has(operation);
  }
}
