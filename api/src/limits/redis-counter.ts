import { withTimeout } from "@glovebox/domain";
import type { Logger } from "pino";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { createClient } from "redis";
import { WINDOW_SECONDS, type RateCounter } from "./rate-limit.ts";

/** Redis normally responds in less than a millisecond; after this timeout the memory counter is used. */
const NO_RESPONSE = { ms: 250, error: () => new Error("Redis did not respond in time") };
const KEY_PREFIX = "glovebox:rate";

/** Counts in Redis, for all replicas. `count` rejects immediately while Redis is unreachable. Connects in the background. */
export function openRedisCounter(url: string, logger: Logger): RateCounter {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
  });
  // Without a listener a lost connection would end the process. The fallback logs the outage.
  client.on("error", (error: Error) => logger.debug({ error: error.name }, "Redis connection error"));
  client.connect().catch(() => undefined);

  const limiter = new RateLimiterRedis({
    storeClient: client,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
    keyPrefix: KEY_PREFIX,
    points: Number.MAX_SAFE_INTEGER,
    duration: WINDOW_SECONDS,
  });
  return {
    async count(clientKey, requests = 1) {
      const consumed = limiter.consume(clientKey, requests);
      const { consumedPoints, msBeforeNext } = await withTimeout(consumed, NO_RESPONSE);
      return { consumed: consumedPoints, msBeforeReset: msBeforeNext };
    },
    async close() {
      if (client.isOpen) client.destroy();
    },
  };
}
