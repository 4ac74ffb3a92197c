import { setImmediate } from "node:timers/promises";
import type { Clock } from "../timing/clock.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until told to go on. */
export interface FakeClock extends Clock {
  /**
   * Goes on by this many milliseconds; each timer on the way fires at its time, and what it starts runs before the next
   * one, as far as it goes without waiting for a real timer or the network.
   */
  advance(ms: number): Promise<void>;
  /** Another clock that goes with this one, but shows another date. */
  withDate(date: Date): Clock;
}

export function createFakeClock(start = new Date("2026-03-01T00:00:00Z")): FakeClock {
  const timers = new Set<Timer>();
  let elapsed = 0;
  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
  const clockFrom = (date: Date): Clock => ({
    monotonic: () => elapsed,
    now: () => new Date(date.getTime() + elapsed),
    after(ms, callback) {
      const timer = { at: elapsed + ms, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  return {
    ...clockFrom(start),
    withDate: clockFrom,
    async advance(ms) {
      const end = elapsed + ms;
      await setImmediate();
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        timers.delete(timer);
        elapsed = Math.max(elapsed, timer.at);
        timer.callback();
        await setImmediate();
      }
      elapsed = end;
    },
  };
}
