import { hashApiKey, isApiKey } from "@glovebox/contract";
import type { KeyHolder, KeyStore } from "@glovebox/store";
import { Recent } from "./recent.ts";

/** Below the 5 seconds within which a revoked key must be refused, counted from the start of the look-up. */
const ACCEPTED_MS = 4_000;
/** Spares the database a client that keeps trying one bad key. */
const REFUSED_MS = 1_000;

/** The keys that are in use, remembered for a few seconds. Only hashes are kept. */
export class KeyRing {
  readonly #store: KeyStore;
  readonly #now: () => Date;
  readonly #accepted = new Recent<KeyHolder>({ ms: ACCEPTED_MS, most: 10_000 });
  readonly #refused = new Recent<undefined>({ ms: REFUSED_MS, most: 1_000 });
  readonly #underWay = new Map<string, Promise<KeyHolder | undefined>>();
  #generation = 0;

  constructor(store: KeyStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** The holder of a key that is valid now. What has not the shape of a key is refused without a look-up. */
  async holder(key: string): Promise<KeyHolder | undefined> {
    if (!isApiKey(key)) return undefined;
    const hash = hashApiKey(key);
    const now = this.#now();
    const known = this.#accepted.get(hash, now) ?? this.#refused.get(hash, now);
    return unexpired(known ? known.value : await this.#lookUp(hash, now), now);
  }

  /** Drops a key at once: it was revoked. */
  forget(keyId: string): void {
    this.#startGeneration();
    this.#accepted.deleteWhere((holder) => holder.keyId === keyId);
  }

  /** Drops every key: a revocation may have been missed. */
  forgetAll(): void {
    this.#startGeneration();
    this.#accepted.deleteWhere(() => true);
  }

  // A look-up that began before a revocation may bring the state from before it: it must not be remembered,
  // and nobody who asks later may share it.
  #startGeneration(): void {
    this.#generation++;
    this.#underWay.clear();
  }

  #lookUp(hash: string, now: Date): Promise<KeyHolder | undefined> {
    const shared = this.#underWay.get(hash);
    if (shared) return shared;
    const lookUp = this.#find(hash, now).finally(() => {
      if (this.#underWay.get(hash) === lookUp) this.#underWay.delete(hash);
    });
    this.#underWay.set(hash, lookUp);
    return lookUp;
  }

  async #find(hash: string, now: Date): Promise<KeyHolder | undefined> {
    const generation = this.#generation;
    const holder = await this.#store.findByHash(hash);
    if (generation !== this.#generation) return holder;
    if (holder) this.#accepted.set(hash, holder, now);
    else this.#refused.set(hash, undefined, now);
    return holder;
  }
}

const unexpired = (holder: KeyHolder | undefined, now: Date): KeyHolder | undefined =>
  holder?.expiresAt && holder.expiresAt <= now ? undefined : holder;
