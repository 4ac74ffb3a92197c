import type { Category } from "./categories.ts";
import type { ProgressFrame } from "./frames.ts";
import type { Progress } from "./scan.ts";

/** Adds the progress of single categories up to that of the scan. */
export class ProgressTally {
  readonly #latest = new Map<Category, Progress>();

  /** Takes a category's latest state; returns the scan's. */
  add({ category, done, planned }: ProgressFrame): Progress {
    this.#latest.set(category, { done, planned });
    return this.total();
  }

  total(): Progress {
    const total = { done: 0, planned: 0 };
    for (const { done, planned } of this.#latest.values()) {
      total.done += done;
      total.planned += planned;
    }
    return total;
  }
}
