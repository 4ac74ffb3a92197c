import { setTimeout as pause } from "node:timers/promises";
import { ApiError } from "@glovebox/contract";
import { hashSecret } from "@glovebox/store";
import { countClient } from "../limits/client-network.ts";
import type { RateCounter } from "../limits/rate-limit.ts";

/** Of an address; the networks that it is in have some times more. */
const MAX_OF_ADDRESS = 20;
const MAX_OF_BROWSER = 10;
const FREE_FOR_NAME = 3;
const FREE_OF_ALL = 120;
const FIRST_MS = 250;
const MAX_MS = 4_000;

/**
 * How long an attempt waits, in milliseconds. A name and the service as a whole are never locked: somebody else could do that to a
 * user. Their delay grows to four seconds.
 * @internal
 */
export function attemptDelay({ name, all }: { readonly name: number; readonly all: number }): number {
  const excess = Math.max(name - FREE_FOR_NAME, Math.ceil((all - FREE_OF_ALL) / FREE_OF_ALL));
  return excess <= 0 ? 0 : Math.min(FIRST_MS * 2 ** (excess - 1), MAX_MS);
}

/** More attempts in a minute than are accepted of one address or of the networks around it. */
export class TooManyAttempts extends ApiError {
  /** Whether it is the first in its minute. */
  readonly isFirst: boolean;

  constructor({ seconds, isFirst }: { seconds: number; isFirst: boolean }) {
    super("rate_limit_exceeded", `Too many attempts from this address. Try again in ${seconds} seconds.`, {
      headers: { "Retry-After": String(seconds) },
    });
    this.isFirst = isFirst;
  }
}

export interface Attempt {
  readonly address: string | undefined;
  /** In the form in which users are found by it: another spelling is the same name. */
  readonly name: string;
  /** The digest of its token, of a browser in which the user of this name has signed in before. */
  readonly knownBrowser?: string | undefined;
}

/**
 * Slows attempts to sign in, whether or not there is a user of the name. Ten a minute from a browser that the user has signed in with
 * before do not wait, regardless of what others do meanwhile.
 */
export type Throttle = (attempt: Attempt) => Promise<void>;

export const createThrottle =
  (counter: RateCounter, wait: (ms: number) => Promise<unknown> = pause): Throttle =>
  async ({ address, name, knownBrowser }) => {
    const count = async (key: string) => (await counter.count(`sign-in:${key}`)).consumed;
    if (knownBrowser !== undefined && (await count(`browser:${knownBrowser}`)) <= MAX_OF_BROWSER) return;
    const limit = { limit: MAX_OF_ADDRESS, now: new Date(0) }; // only its relative time is used
    const [state, ofName, ofAll] = await Promise.all([
      countClient(counter, { address, scope: "sign-in:" }, limit),
      count(`name:${hashSecret(name)}`),
      count("all"),
    ]);
    if (state.exceeded)
      throw new TooManyAttempts({ seconds: state.retryAfter, isFirst: state.isFirstExcess });
    const delay = attemptDelay({ name: ofName, all: ofAll });
    if (delay > 0) await wait(delay);
  };
