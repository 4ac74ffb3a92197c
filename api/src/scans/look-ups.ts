import { ApiError } from "@glovebox/contract";
import type { Lookup } from "@glovebox/egress";

/** How long a request waits for a name, in milliseconds. */
const LOOKUP_MS = 2_000;

export interface LookUpLimits {
  /** Names that are looked up at a time for one account. */
  readonly perAccount: number;
  /** In all. */
  readonly total: number;
}

/**
 * Looks names up, a bounded number at a time for each account, so that nobody's slow names make others wait. One name is
 * looked up once at a time for all requests of an account. A name without an answer in time has no address here.
 */
export class LookUps {
  readonly #lookup: Lookup;
  readonly #limits: LookUpLimits;
  readonly #underWay = new Map<string, Map<string, Promise<readonly string[]>>>();
  #count = 0;

  constructor(lookup: Lookup, limits: LookUpLimits) {
    this.#lookup = lookup;
    this.#limits = limits;
  }

  /** @throws ApiError `rate_limit_exceeded` or `unavailable`, from the look-up, when there are too many at this moment. */
  of(accountId: string): Lookup {
    return (host) => this.#underWay.get(accountId)?.get(host) ?? this.#begin(accountId, host);
  }

  async #begin(accountId: string, host: string): Promise<readonly string[]> {
    const own = this.#underWay.get(accountId) ?? new Map<string, Promise<readonly string[]>>();
    if (own.size >= this.#limits.perAccount) throw tooManyOfAccount();
    if (this.#count >= this.#limits.total) throw tooMany();
    this.#underWay.set(accountId, own);
    this.#count++;
    const answer = inTime(host, this.#lookup).finally(() => {
      this.#count--;
      own.delete(host);
      if (own.size === 0) this.#underWay.delete(accountId);
    });
    own.set(host, answer);
    return answer;
  }
}

async function inTime(host: string, lookup: Lookup): Promise<readonly string[]> {
  const over = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const none = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(() => {
      over.abort(new Error("no answer in time"));
      resolve([]);
    }, LOOKUP_MS);
  });
  try {
    return await Promise.race([lookup(host, over.signal).catch(() => []), none]);
  } finally {
    clearTimeout(timer);
  }
}

const RETRY = { "Retry-After": String(LOOKUP_MS / 1000) };
const tooManyOfAccount = (): ApiError =>
  new ApiError("rate_limit_exceeded", "Too many host names of this account are being looked up.", RETRY);
const tooMany = (): ApiError =>
  new ApiError("unavailable", "Too many host names are being looked up.", RETRY);
