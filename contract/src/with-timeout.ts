export interface Timeout {
  readonly ms: number;
  /** The error of the rejection. */
  readonly error: () => Error;
  /** Calls back once after so many milliseconds, unless the returned function is called before. Default: a timer. */
  readonly after?: (ms: number, callback: () => void) => () => void;
}

/** Settles as the promise does, or rejects after the timeout; a later result is ignored. */
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
