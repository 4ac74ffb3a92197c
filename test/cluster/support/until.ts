import { setTimeout as delay } from "node:timers/promises";

/** Looks until there is something, and gives it. What is in a cluster changes when it does: nothing tells a test. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  seconds = 180,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > deadline) throw new Error(`Not seen within ${seconds} s: ${what}`);
    await delay(250);
  }
}
