import type { Clock } from "./clock.ts";

/** Keys that become due at a time. */
export interface DelayedKeys {
  /** Of several times for one key the earliest counts. */
  add(key: string, ms: number): void;
  /** Forgets all of them. */
  clear(): void;
}

export function createDelayedKeys(clock: Clock, due: (key: string) => void): DelayedKeys {
  const timers = new Map<string, { at: number; cancel: () => void }>();
  return {
    add(key, ms) {
      const at = clock.monotonic() + ms;
      const held = timers.get(key);
      if (held !== undefined && held.at <= at) return;
      held?.cancel();
      const fire = (): void => {
        timers.delete(key);
        due(key);
      };
      timers.set(key, { at, cancel: clock.after(ms, fire) });
    },
    clear() {
      for (const { cancel } of timers.values()) cancel();
      timers.clear();
    },
  };
}
