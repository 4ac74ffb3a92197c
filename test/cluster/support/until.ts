import { setTimeout as delay } from "node:timers/promises";

/**
 * Polls until `poll` returns a value, and returns it.
 * @throws Error with `what` after the timeout
 */
export async function until<T>(
  what: string,
  poll: () => Promise<T | undefined | false>,
  seconds = 180,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const value = await poll();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`Timed out after ${seconds} s waiting for ${what}`);
    await delay(250);
  }
}
