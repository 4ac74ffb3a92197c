import { setFlagsFromString } from "node:v8";

/** A terminal and a launcher may both forward one Ctrl-C: signals within this time count as one, in milliseconds. */
const SAME_SIGNAL_MS = 1_000;

export interface StopSignalDeps {
  /** The process, as a source of signals. */
  readonly source: Pick<NodeJS.Process, "on">;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Ends the process immediately. */
  readonly end: () => void;
}

/** Aborted by the first SIGINT, SIGTERM or SIGHUP; the second ends the process immediately. */
export function stopSignal({ source, clock, end }: StopSignalDeps): AbortSignal {
  const stop = new AbortController();
  let first = 0;
  const onSignal = (): void => {
    if (stop.signal.aborted) return void (clock() - first >= SAME_SIGNAL_MS && end());
    first = clock();
    stop.abort();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) source.on(signal, onSignal);
  return stop.signal;
}

/**
 * Limits the growth of the heap. By default V8 lets the young generation grow to 128 MiB and the old generation to several times
 * its contents under load: an API with 20 MiB of live objects took 290 MiB (docs/benchmarks.md). The young generation is
 * collected by one thread, because each further one has separate pages. Call it once, before any load.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--no-parallel-scavenge");
}
