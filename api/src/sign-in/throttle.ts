import { setTimeout as pause } from "node:timers/promises";
import { ApiError, hashSecret } from "@glovebox/contract";
import { addressKey, type RateCounter } from "../limits/rate-limit.ts";

/** Attempts in the current minute: of the address, for the name, and of all. */
export interface Attempts {
  readonly address: number;
  readonly name: number;
  readonly all: number;
}

const MAX_OF_ADDRESS = 20;
const FREE_FOR_NAME = 3;
const FREE_OF_ALL = 120;
const FIRST_MS = 250;
const LONGEST_MS = 4_000;

/**
 * How long an attempt waits, in milliseconds; undefined: it is refused, which only its own address can bring about. A name and the
 * service as a whole are never locked: somebody else could do that to a user. Their delay grows to four seconds.
 */
export function attemptDelay({ address, name, all }: Attempts): number | undefined {
  if (address > MAX_OF_ADDRESS) return undefined;
  const excess = Math.max(name - FREE_FOR_NAME, Math.ceil((all - FREE_OF_ALL) / FREE_OF_ALL));
  return excess <= 0 ? 0 : Math.min(FIRST_MS * 2 ** (excess - 1), LONGEST_MS);
}

/** More attempts in a minute than are accepted of one address. */
export class TooManyAttempts extends ApiError {
  /** Whether it is the first in its minute. */
  readonly isFirst: boolean;

  constructor({ seconds, isFirst }: { seconds: number; isFirst: boolean }) {
    super("rate_limit_exceeded", `Too many attempts from this address. Try again in ${seconds} seconds.`, {
      "Retry-After": String(seconds),
    });
    this.isFirst = isFirst;
  }
}

/** Slows attempts to sign in, whether or not there is a user of the name. */
export type Throttle = (attempt: { address: string | undefined; name: string }) => Promise<void>;

export const createThrottle =
  (counter: RateCounter, wait: (ms: number) => Promise<unknown> = pause): Throttle =>
  async ({ address, name }) => {
    const keys = [addressKey(address), `name:${hashSecret(name.trim().toLowerCase())}`, "all"];
    const counts = await Promise.all(keys.map((key) => counter.count(`sign-in:${key}`)));
    const [ofAddress, ofName, ofAll] = counts.map(({ consumed }) => consumed) as [number, number, number];
    const delay = attemptDelay({ address: ofAddress, name: ofName, all: ofAll });
    if (delay === undefined) {
      const seconds = Math.max(1, Math.ceil(counts[0]!.msBeforeReset / 1000));
      throw new TooManyAttempts({ seconds, isFirst: ofAddress === MAX_OF_ADDRESS + 1 });
    }
    if (delay > 0) await wait(delay);
  };
