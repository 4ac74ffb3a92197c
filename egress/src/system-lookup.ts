import { lookup } from "node:dns/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Lookup } from "./pins.ts";

/**
 * Resolves through the operating system, hosts file included, both families. Rejects when the name has no address
 * or the answer takes longer than `timeoutMs` milliseconds; the system's own attempt cannot be called off and ends
 * unheard.
 */
export function systemLookup(timeoutMs: number): Lookup {
  return async (host) => {
    const stop = new AbortController();
    const found = lookup(host, { all: true, family: 0, order: "verbatim" });
    const timeout = delay(timeoutMs, undefined, { signal: stop.signal }).then(() => {
      throw new Error(`The name could not be resolved within ${timeoutMs} ms`);
    });
    try {
      const entries = await Promise.race([found, timeout]);
      return entries.map(({ address }) => address);
    } finally {
      stop.abort();
    }
  };
}
