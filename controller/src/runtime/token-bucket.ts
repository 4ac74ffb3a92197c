import type { Clock } from "@glovebox/kube";

export interface Rate {
  /** So many at once, after a rest. */
  readonly burst: number;
  /** So many per second in the long run. */
  readonly perSecond: number;
}

/** Returns a function that takes one token, and says whether there was one. */
export function createTokenBucket({ burst, perSecond }: Rate, clock: Clock): () => boolean {
  let tokens = burst;
  let filledAt = clock.monotonic();
  return () => {
    const now = clock.monotonic();
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
