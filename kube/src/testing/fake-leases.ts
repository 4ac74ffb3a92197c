import { type Clock } from "../timing/clock.ts";
import { KubeError } from "../client/error.ts";
import type { LeaseRecord, LeaseStore, StoredLease } from "../leader/lease.ts";

/** How one call goes: the time until the server has it, the time until the response is there, or no response at all. */
export interface Journey {
  readonly thereMs: number;
  readonly backMs: number;
  /** The call never arrives, or succeeds but the response never arrives. */
  readonly lost?: "there" | "back";
}

const AT_ONCE: Journey = { thereMs: 0, backMs: 0 };

/** One Lease in memory, with compare-and-swap, behind a network that delays and loses as told. */
export class FakeLeases {
  stored: StoredLease | undefined;
  readonly writes: LeaseRecord[] = [];
  #version = 0;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The lease as one process reaches it. */
  seenBy(journey: () => Journey = () => AT_ONCE): LeaseStore {
    return {
      read: () => this.#travel(journey(), () => this.stored),
      create: (record) =>
        this.#travel(journey(), () => {
          if (this.stored !== undefined)
            throw new KubeError("create", { code: 409, reason: "AlreadyExists" });
          return this.#write(record);
        }),
      replace: (record, version) =>
        this.#travel(journey(), () => {
          if (this.stored?.version !== version)
            throw new KubeError("replace", { code: 409, reason: "Conflict" });
          return this.#write(record);
        }),
    };
  }

  #write(record: LeaseRecord): StoredLease {
    this.#version += 1;
    this.stored = { record, version: String(this.#version) };
    this.writes.push(record);
    return this.stored;
  }

  async #travel<T>({ thereMs, backMs, lost }: Journey, arrive: () => T): Promise<T> {
    if (lost === "there") return await new Promise(() => undefined);
    await this.#pause(thereMs);
    const response = new Promise<T>((resolve) => resolve(arrive()));
    // It may be on its way for long, or for ever.
    response.catch(() => undefined);
    if (lost === "back") return await new Promise(() => undefined);
    await this.#pause(backMs);
    return await response;
  }

  #pause(ms: number): Promise<void> {
    return ms === 0 ? Promise.resolve() : new Promise((passed) => this.#clock.after(ms, passed));
  }
}
