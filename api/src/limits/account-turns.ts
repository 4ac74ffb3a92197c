import { ApiError } from "@glovebox/contract";

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/** Runs what is costly so many times at once for each account. The rest of the account waits, and nobody else does. */
export class AccountTurns {
  readonly #turns = new Map<string, Turns>();
  readonly #atOnce: number;
  readonly #maxWaiting: number;

  constructor({ atOnce, maxWaiting }: { readonly atOnce: number; readonly maxWaiting: number }) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws ApiError `rate_limit_exceeded` when too many of the account wait */
  async run<T>(accountId: string, task: () => Promise<T>): Promise<T> {
    const turns = this.#turns.get(accountId) ?? { running: 0, waiting: [] };
    this.#turns.set(accountId, turns);
    if (turns.running < this.#atOnce) turns.running++;
    else await this.#turn(turns);
    try {
      return await task();
    } finally {
      const next = turns.waiting.shift();
      if (next) next();
      else if (--turns.running === 0) this.#turns.delete(accountId);
    }
  }

  #turn({ waiting }: Turns): Promise<void> {
    if (waiting.length >= this.#maxWaiting)
      throw new ApiError("rate_limit_exceeded", "Too many reports of this account are read at this moment.", {
        headers: { "Retry-After": "1" },
      });
    return new Promise((resolve) => waiting.push(resolve));
  }
}
