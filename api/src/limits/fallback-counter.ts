import type { RateCounter } from "./rate-state.ts";

/** After a failure the first counter is left alone this long, so that a hanging one does not slow each request. */
const REST_MS = 1_000;

export interface FallbackDeps {
  readonly first: RateCounter;
  readonly second: RateCounter;
  /** Told at each change, not at each request. */
  readonly onChange: (fallenBack: boolean) => void;
  readonly now: () => Date;
}

/** Counts with the first counter, and with the second while the first fails. */
export function fallbackCounter({ first, second, onChange, now }: FallbackDeps): RateCounter {
  let fallenBack = false;
  let restUntil = 0;

  const change = (to: boolean): void => {
    if (fallenBack === to) return;
    fallenBack = to;
    onChange(to);
  };
  return {
    async count(client) {
      if (restUntil > 0 && now().getTime() < restUntil) return second.count(client);
      try {
        const count = await first.count(client);
        restUntil = 0;
        change(false);
        return count;
      } catch {
        restUntil = now().getTime() + REST_MS;
        change(true);
        return second.count(client);
      }
    },
    async close() {
      await Promise.all([first.close(), second.close()]);
    },
  };
}
