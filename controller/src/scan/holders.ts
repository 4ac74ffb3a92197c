import type { Contender, Running } from "./fair-queue.ts";

/** Scans that hold a slot, counted as they come and go: no look at the queue counts them anew. */
export class Holders implements Running {
  readonly #contenders = new Map<string, Contender>();
  readonly #accounts = new Map<string, number>();
  readonly #hosts = new Map<string, number>();

  get total(): number {
    return this.#contenders.size;
  }

  ofAccount(account: string): number {
    return this.#accounts.get(account) ?? 0;
  }

  ofHost(host: string): number {
    return this.#hosts.get(host) ?? 0;
  }

  has(id: string): boolean {
    return this.#contenders.has(id);
  }

  /** One that is there already is replaced: its account may not have been known. */
  put(contender: Contender): void {
    this.delete(contender.id);
    this.#contenders.set(contender.id, contender);
    count(this.#accounts, contender.account, 1);
    count(this.#hosts, contender.host, 1);
  }

  /** True when it held a slot. */
  delete(id: string): boolean {
    const held = this.#contenders.get(id);
    if (!held) return false;
    this.#contenders.delete(id);
    count(this.#accounts, held.account, -1);
    count(this.#hosts, held.host, -1);
    return true;
  }
}

function count(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const after = (counts.get(name) ?? 0) + by;
  if (after === 0) counts.delete(name);
  else counts.set(name, after);
}
