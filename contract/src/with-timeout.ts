export interface Timeout {
  readonly ms: number;
  /** What it rejects with when the time is over. */
  readonly error: () => Error;
  /** Calls back once after so many milliseconds, unless the returned function is called before. Default: a timer. */
  readonly after?: (ms: number, callback: () => void) => () => void;
}

/** Settles as the promise does, or rejects when the time is over; what the promise does then is of no interest. */
export async function withTimeout<T>(
  promise: PromiseLike<T>,
  { ms, error, after = afterTimer }: Timeout,
): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const cancel = after(ms, () => timeout.reject(error()));
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    cancel();
  }
}

function afterTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
