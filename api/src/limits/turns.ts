import { ApiError } from "@glovebox/contract";

/** Who waits for a turn. */
export interface Waiting {
  /** An account, a client, or the network that it is in: lanes take turns, however many wait in each. */
  readonly lane: string;
  /** Goes before all who do not. */
  readonly isKnown?: boolean;
}

interface TurnLimits {
  readonly atOnce: number;
  readonly maxWaiting: number;
  /** The message for callers that are turned away. */
  readonly refusal: string;
}

/** Limits how many run at the same time. A flood from some lanes delays neither other lanes for long, nor known callers. */
export class Turns {
  #free: number;
  readonly #known: Lanes;
  readonly #others: Lanes;

  constructor({ atOnce, ...limits }: TurnLimits) {
    this.#free = atOnce;
    this.#known = new Lanes(limits);
    this.#others = new Lanes(limits);
  }

  /** Resolves when it is its turn, which `end` ends. @throws ApiError `unavailable` when too many wait */
  async begin({ lane, isKnown = false }: Waiting): Promise<void> {
    if (this.#free > 0) return void this.#free--;
    return (isKnown ? this.#known : this.#others).wait(lane);
  }

  end(): void {
    const next = this.#known.next() ?? this.#others.next();
    if (next) next.resolve();
    else this.#free++;
  }
}

type Waiter = PromiseWithResolvers<void>;

/** Queues that take turns. When they are full, a newcomer in an emptier lane replaces the last in the fullest. */
class Lanes {
  readonly #limits: Omit<TurnLimits, "atOnce">;
  /** The one whose turn is next comes first. */
  readonly #lanes = new Map<string, Waiter[]>();
  #size = 0;

  constructor(limits: Omit<TurnLimits, "atOnce">) {
    this.#limits = limits;
  }

  async wait(name: string): Promise<void> {
    const own = this.#lanes.get(name) ?? [];
    if (this.#size >= this.#limits.maxWaiting) this.#makeRoom(own.length);
    const waiter: Waiter = Promise.withResolvers();
    own.push(waiter);
    this.#lanes.set(name, own);
    this.#size++;
    return waiter.promise;
  }

  next(): Waiter | undefined {
    const [first] = this.#lanes;
    if (!first) return undefined;
    const [name, waiters] = first;
    const next = waiters.shift();
    this.#lanes.delete(name);
    if (waiters.length > 0) this.#lanes.set(name, waiters);
    this.#size--;
    return next;
  }

  #makeRoom(waitingInOwn: number): void {
    let fullest: Waiter[] = [];
    for (const waiters of this.#lanes.values()) if (waiters.length > fullest.length) fullest = waiters;
    if (fullest.length <= waitingInOwn + 1) throw this.#tooMany();
    fullest.pop()!.reject(this.#tooMany());
    this.#size--;
  }

  #tooMany(): ApiError {
    return new ApiError("unavailable", this.#limits.refusal, { headers: { "Retry-After": "5" } });
  }
}
