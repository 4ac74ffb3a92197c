export interface Timeout {
  readonly ms: number;
  /** The error of the rejection. */
  readonly error: () => Error;
  /** Calls back once after this many milliseconds, unless the returned function is called before. Default: a timer. */
  readonly after?: (ms: number, callback: () => void) => () => void;
}

/** Settles as the promise does, or rejects after the timeout; a later result is ignored. */
export function withTimeout<T>(
  promise: PromiseLike<T>,
  { ms, error, after = afterTimer }: Timeout,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = after(ms, () => reject(error()));
    const settle =
      <Result>(how: (result: Result) => void) =>
      (result: Result): void => {
        cancel();
        how(result);
      };
    promise.then(settle(resolve), settle(reject));
  });
}

function afterTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}
