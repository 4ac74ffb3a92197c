import type { AddressFamily } from "@glovebox/contract";

/**
 * Nobody called for longer than this: a gap. Peers call every second (prober.ts), so that two calls may be late or lost.
 * A scanner that has reached the canary before watches its silence for 2 s.
 */
export const GAP_MS = 3_000;

/** Since when other pods have reached this canary without a gap, in each address family. */
export class Calls {
  readonly #runs = new Map<AddressFamily, { readonly since: number; readonly last: number }>();

  note(family: AddressFamily, now: number): void {
    this.#runs.set(family, { since: this.#since(family, now) ?? now, last: now });
  }

  /** The time at which the run that lasts until now began; families without one are absent. */
  since(now: number): Partial<Record<AddressFamily, number>> {
    const entries = [...this.#runs.keys()].map((family) => [family, this.#since(family, now)] as const);
    return Object.fromEntries(entries.filter(([, since]) => since !== undefined));
  }

  #since(family: AddressFamily, now: number): number | undefined {
    const run = this.#runs.get(family);
    return run && now - run.last <= GAP_MS ? run.since : undefined;
  }
}
