import type { Clock } from "@glovebox/kube";

/** Keys that become due at a time. */
export interface DelayedKeys {
  /** Of several times for one key the earliest counts. */
  add(key: string, ms: number): void;
  /** Forgets all of them. */
  clear(): void;
}

/** The longest that a timer of Node's waits; told of more, it does not wait at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** One timer for all keys, for the next of them: most wait for hours, and there may be many thousands. */
export function createDelayedKeys(clock: Clock, due: (key: string) => void): DelayedKeys {
  const times = new Map<string, number>();
  /** The latest first. An entry whose time is no longer that of its key counts for nothing. */
  let queue: Entry[] = [];
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;

  const schedule = (): void => {
    const next = queue.at(-1);
    if (next === undefined || (timer !== undefined && timer.at <= next.at)) return;
    timer?.cancel();
    const ms = Math.min(Math.max(0, next.at - clock.monotonic()), LONGEST_MS);
    timer = { at: next.at, cancel: clock.after(ms, fire) };
  };
  const fire = (): void => {
    timer = undefined;
    const now = clock.monotonic();
    while ((queue.at(-1)?.at ?? Infinity) <= now) {
      const { key, at } = queue.pop()!;
      if (times.get(key) !== at) continue;
      times.delete(key);
      due(key);
    }
    schedule();
  };
  return {
    add(key, ms) {
      const at = clock.monotonic() + ms;
      if ((times.get(key) ?? Infinity) <= at) return;
      times.set(key, at);
      queue.splice(placeOf(at, queue), 0, { key, at });
      schedule();
    },
    clear() {
      timer?.cancel();
      timer = undefined;
      times.clear();
      queue = [];
    },
  };
}

interface Entry {
  readonly key: string;
  readonly at: number;
}

/** Where the entry goes: before all that are due no later. */
function placeOf(at: number, queue: readonly Entry[]): number {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (queue[middle]!.at > at) low = middle + 1;
    else high = middle;
  }
  return low;
}
