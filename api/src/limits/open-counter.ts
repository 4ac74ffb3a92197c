import type { Logger } from "pino";
import type { Gauge } from "prom-client";
import { fallbackCounter } from "./fallback-counter.ts";
import { memoryCounter } from "./memory-counter.ts";
import { redisCounter } from "./redis-counter.ts";
import type { RateCounter } from "./rate-state.ts";

export interface CounterDeps {
  readonly redisUrl: string | undefined;
  readonly logger: Logger;
  readonly now: () => Date;
  /** 1 while limits are counted in memory although they should be in Redis. */
  readonly fallback: Gauge;
}

/** Redis with memory as its insurance; memory alone where no Redis is set. */
export function openCounter({ redisUrl, logger, now, fallback }: CounterDeps): RateCounter {
  fallback.set(0);
  if (!redisUrl) {
    logger.info("Rate limits are counted in the memory of this process; set REDIS_URL to share them");
    return memoryCounter();
  }
  return fallbackCounter({
    first: redisCounter(redisUrl, logger),
    second: memoryCounter(),
    now,
    onChange(fallenBack) {
      fallback.set(fallenBack ? 1 : 0);
      if (fallenBack) logger.warn("Redis is away: rate limits are counted in the memory of each replica");
      else logger.info("Redis is back: rate limits are shared again");
    },
  });
}
