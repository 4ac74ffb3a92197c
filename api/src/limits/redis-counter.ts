import type { Logger } from "pino";
import { RateLimiterRedis } from "rate-limiter-flexible";
import { createClient } from "redis";
import { WINDOW_SECONDS, type RateCounter } from "./rate-limit.ts";

/** Redis answers in well under a millisecond; beyond this the caller had better count in memory. */
const ANSWER_WITHIN_MS = 250;
const KEY_PREFIX = "glovebox:rate";

/** Counts in Redis, for all replicas. `count` rejects at once while Redis is away. Connects in the background. */
export function redisCounter(url: string, logger: Logger): RateCounter {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
  });
  // Without a listener the first lost connection would end the process; the fallback reports the outage once.
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
    async count(clientKey) {
      const { consumedPoints, msBeforeNext } = await inTime(limiter.consume(clientKey));
      return { consumed: consumedPoints, msBeforeReset: msBeforeNext };
    },
    async close() {
      if (client.isOpen) client.destroy();
    },
  };
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("Redis did not answer in time")), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
