import type { Logger } from "pino";
import type { Gauge } from "prom-client";
import { WINDOW_SECONDS, type RateCounter } from "./rate-limit.ts";

/** After a failure Redis is not used for this time, so that a hanging one does not delay every request. */
const REST_MS = 1_000;

export interface RateCounterDeps {
  readonly redisUrl: string | undefined;
  readonly logger: Logger;
  readonly now: () => Date;
  /** 1 while limits are counted in memory although they should be in Redis. */
  readonly fallback: Gauge;
}

/** Counts in Redis, and in memory while Redis is unreachable; in memory alone where no Redis is set. */
export function openRateCounter({ redisUrl, logger, now, fallback }: RateCounterDeps): RateCounter {
  fallback.set(0);
  if (!redisUrl) {
    logger.info("rate limits are counted in memory, set REDIS_URL to share them");
    return memoryCounter();
  }
  return fallbackCounter({
    primary: redisCounter(redisUrl, logger),
    secondary: memoryCounter(),
    now,
    onChange(isFallback) {
      fallback.set(isFallback ? 1 : 0);
      if (isFallback) logger.warn("Redis is unreachable, each replica counts rate limits in memory");
      else logger.info("Redis is reachable again, rate limits are shared");
    },
  });
}

interface CountedWindow {
  consumed: number;
  /** Milliseconds of `clock`. */
  readonly endsAt: number;
}

/** Counts in the memory of this process. `clock`: milliseconds that only grow. @internal */
export function memoryCounter(clock: () => number = () => performance.now()): RateCounter {
  const windows = new Map<string, CountedWindow>();
  return {
    async count(client, requests = 1) {
      const now = clock();
      let current = windows.get(client);
      if (!current || current.endsAt <= now) {
        deleteEnded(windows, now);
        windows.set(client, (current = { consumed: 0, endsAt: now + WINDOW_SECONDS * 1000 }));
      }
      current.consumed += requests;
      return { consumed: current.consumed, msBeforeReset: current.endsAt - now };
    },
    close: () => Promise.resolve(),
  };
}

/** All windows are of the same length, so the oldest come first and end first. */
function deleteEnded(windows: Map<string, CountedWindow>, now: number): void {
  for (const [client, { endsAt }] of windows) {
    if (endsAt > now) return;
    windows.delete(client);
  }
}

export interface FallbackDeps {
  readonly primary: RateCounter;
  readonly secondary: RateCounter;
  /** Called at each change, not at each request. */
  readonly onChange: (isFallback: boolean) => void;
  readonly now: () => Date;
}

/** Counts with the primary counter, and with the secondary while the primary fails. @internal */
export function fallbackCounter({ primary, secondary, onChange, now }: FallbackDeps): RateCounter {
  let isFallback = false;
  let restUntil = 0;

  const change = (to: boolean): void => {
    if (isFallback === to) return;
    isFallback = to;
    onChange(to);
  };
  return {
    async count(client, requests) {
      if (restUntil > 0 && now().getTime() < restUntil) return secondary.count(client, requests);
      try {
        const count = await primary.count(client, requests);
        restUntil = 0;
        change(false);
        return count;
      } catch {
        restUntil = now().getTime() + REST_MS;
        change(true);
        return secondary.count(client, requests);
      }
    },
    async close() {
      await Promise.all([primary.close(), secondary.close()]);
    },
  };
}

/** Loads the client of Redis where one is set, because it takes 20 MiB. */
function redisCounter(url: string, logger: Logger): RateCounter {
  const opened = import("./redis-counter.ts").then(({ openRedisCounter }) => openRedisCounter(url, logger));
  return {
    count: async (client, requests) => (await opened).count(client, requests),
    close: async () => (await opened).close(),
  };
}
