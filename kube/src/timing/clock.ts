/** Time as the runtime sees it. Durations are measured with `monotonic`, which no correction of the date moves. */
export interface Clock {
  /** Milliseconds of a monotonic clock. */
  monotonic(): number;
  /** The date and time, for what is written into objects. */
  now(): Date;
  /** Calls back once after `ms` milliseconds, unless the returned function is called before. */
  after(ms: number, callback: () => void): () => void;
}

/** The clock of this process. Its timers keep nothing alive. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  now: () => new Date(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` milliseconds, or as soon as the signal aborts. It never rejects. */
export function sleep(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal.aborted) return Promise.resolve();
  const finish = (): void => {
    cancel();
    signal.removeEventListener("abort", finish);
    resolve();
  };
  const cancel = clock.after(ms, finish);
  signal.addEventListener("abort", finish, { once: true });
  return promise;
}
