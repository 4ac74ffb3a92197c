import { monitorEventLoopDelay } from "node:perf_hooks";

export interface LoopDelays {
  /** The longest delay, in milliseconds. */
  readonly delayMs: number;
  /** The longest that this thread itself worked in one go, in milliseconds: the rest of a delay is a busy machine's. */
  readonly heldMs: number;
}

const workedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Watches the event loop of this thread until it is asked what it saw. */
export function watchEventLoop(): () => LoopDelays {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let [before, heldMs] = [workedMs(), 0];
  const look = (): void => {
    const now = workedMs();
    heldMs = Math.max(heldMs, now - before);
    before = now;
  };
  const timer = setInterval(look, 1);
  delay.enable();
  return () => {
    delay.disable();
    clearInterval(timer);
    look();
    return { delayMs: delay.max / 1e6, heldMs };
  };
}
