import { setFlagsFromString } from "node:v8";

/** A terminal and a launcher may both pass on what the user did once: signals this close are one, in milliseconds. */
const ONE_GESTURE_MS = 1_000;

export interface StopSignalDeps {
  /** Where signals come from: the process. */
  readonly source: Pick<NodeJS.Process, "on">;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Ends the process at once. */
  readonly end: () => void;
}

/** Aborted by the first SIGINT, SIGTERM or SIGHUP; the second ends the process at once. */
export function stopSignal({ source, clock, end }: StopSignalDeps): AbortSignal {
  const stop = new AbortController();
  let first = 0;
  const onSignal = (): void => {
    if (stop.signal.aborted) return void (clock() - first >= ONE_GESTURE_MS && end());
    first = clock();
    stop.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) source.on(signal, onSignal);
  return stop.signal;
}

/**
 * Keeps the memory of a service near what it uses. Under load V8 would let its young generation grow to 128 MiB and its
 * old one to several times its contents before it collects; measured, that made an API that uses 20 MiB of heap take
 * 290 MiB, and collecting earlier costs it little (docs/benchmarks.md). To be called once, before there is any load.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
}
