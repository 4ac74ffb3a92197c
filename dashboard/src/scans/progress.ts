import type { Progress } from "@glovebox/contract";
import type { Category } from "@glovebox/contract/categories";

/** What the service says of a running scan; its last word may know no progress any more. */
export interface ProgressEvent {
  readonly progress: Progress;
  readonly category?: (Progress & { readonly name: Category }) | null;
}

/** The furthest that the page has seen a scan. */
export interface Seen extends Required<ProgressEvent> {
  /** From 0 to 1. */
  readonly share: number;
}

export const NOTHING_SEEN: Seen = { progress: { done: 0, planned: 0 }, category: null, share: 0 };

/**
 * Progress never decreases: an older state, such as the one stored when the page was loaded, changes nothing, and a plan that grows
 * holds the bar where it is. Pure.
 */
export function furthest(seen: Seen, { progress, category = null }: ProgressEvent): Seen {
  const isOlder = progress.done < seen.progress.done || progress.planned < seen.progress.planned;
  if (isOlder) return seen;
  const share = progress.planned === 0 ? 0 : Math.min(1, progress.done / progress.planned);
  return { progress, category: category ?? seen.category, share: Math.max(seen.share, share) };
}
