import { type Clock, systemClock } from "../timing/clock.ts";

/** The Date header counts whole seconds, and leaves off what is over. */
const RESOLUTION_MS = 1000;
/** Maximum drift between two synchronized clocks (500 ppm each, the limit of NTP). */
const DRIFT = 1e-3;

/** Between what the server's time is ahead of `monotonic`, as it was known at a moment. In milliseconds. */
interface Bounds {
  readonly low: number;
  readonly high: number;
  readonly at: number;
}

/**
 * The clock of the API server, estimated from the Date headers of its responses: timestamps of objects are by that clock, and
 * only by that clock can their age be computed (docs/adr/0013). Before the first response it is the clock of this process.
 *
 * A response was dated between the moments at which its request was sent and it arrived, so each gives bounds; what all of
 * them have in common soon is narrower than a second. Where they have nothing in common, a clock was set, and the newest
 * response counts.
 */
export class ServerClock implements Clock {
  readonly #local: Clock;
  #bounds: Bounds | undefined;

  constructor(local: Clock = systemClock) {
    this.#local = local;
  }

  monotonic(): number {
    return this.#local.monotonic();
  }

  after(ms: number, callback: () => void): () => void {
    return this.#local.after(ms, callback);
  }

  now(): Date {
    if (!this.#bounds) return this.#local.now();
    const { low, high } = this.#bounds;
    return new Date(this.monotonic() + (low + high) / 2);
  }

  /** A response has arrived whose request was sent at that moment (monotonic). A response without a Date header is ignored. */
  heard(date: string | undefined, sentAt: number): void {
    const dated = Date.parse(date ?? "");
    if (Number.isNaN(dated)) return;
    const at = this.monotonic();
    const told = { low: dated - at, high: dated + RESOLUTION_MS - sentAt, at };
    this.#bounds = this.#bounds ? common(this.#bounds, told) : told;
  }
}

function common(before: Bounds, told: Bounds): Bounds {
  const slack = (told.at - before.at) * DRIFT;
  const low = Math.max(before.low - slack, told.low);
  const high = Math.min(before.high + slack, told.high);
  return low <= high ? { low, high, at: told.at } : told;
}
