import { RateLimiterMemory } from "rate-limiter-flexible";
import { WINDOW_SECONDS, type RateCounter } from "./rate-state.ts";

/** Counts in the memory of this process. */
export function memoryCounter(): RateCounter {
  // The limit belongs to the plan and is judged by the caller, so the limiter itself never refuses.
  const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS });
  return {
    async count(client) {
      const { consumedPoints, msBeforeNext } = await limiter.consume(client);
      return { consumed: consumedPoints, msBeforeReset: msBeforeNext };
    },
    close: () => Promise.resolve(),
  };
}
