import { hashApiKey, isApiKey, type Principal, type KeyStore } from "@glovebox/store";
import { ExpiringCache } from "../expiring-cache.ts";

/** A revoked key must be refused within 5 seconds, counted from the start of the query. */
const ACCEPTED_MS = 4_000;
/** Protects the database from a client that retries an invalid key. */
const REFUSED_MS = 1_000;

/** The API keys in use, cached for a few seconds. Only their hashes are kept. */
export class ApiKeyCache {
  readonly #store: KeyStore;
  readonly #now: () => Date;
  readonly #accepted = new ExpiringCache<Principal>({ ms: ACCEPTED_MS, maxEntries: 10_000 });
  readonly #refused = new ExpiringCache<undefined>({ ms: REFUSED_MS, maxEntries: 1_000 });
  readonly #underWay = new Map<string, Promise<Principal | undefined>>();
  #generation = 0;

  constructor(store: KeyStore, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** The principal of a currently valid key. A malformed key is refused without a query. */
  async principalOf(key: string): Promise<Principal | undefined> {
    const hash = hashApiKey(key);
    const now = this.#now();
    const known = this.#accepted.get(hash, now) ?? this.#refused.get(hash, now);
    if (known) return unexpired(known.value, now);
    return isApiKey(key) ? unexpired(await this.#lookUp(hash, now), now) : undefined;
  }

  /** Drops a key immediately: it was revoked. */
  forget(keyId: string): void {
    this.#startGeneration();
    this.#accepted.deleteWhere((principal) => principal.keyId === keyId);
  }

  /** Drops every key: a revocation may have been missed. */
  forgetAll(): void {
    this.#startGeneration();
    this.#accepted.deleteWhere(() => true);
  }

  // A query that began before a revocation may return the earlier state: it must not be cached, and later requests must not
  // share it.
  #startGeneration(): void {
    this.#generation++;
    this.#underWay.clear();
  }

  #lookUp(hash: string, now: Date): Promise<Principal | undefined> {
    const shared = this.#underWay.get(hash);
    if (shared) return shared;
    const lookUp = this.#find(hash, now).finally(() => {
      if (this.#underWay.get(hash) === lookUp) this.#underWay.delete(hash);
    });
    this.#underWay.set(hash, lookUp);
    return lookUp;
  }

  async #find(hash: string, now: Date): Promise<Principal | undefined> {
    const generation = this.#generation;
    const principal = await this.#store.findByHash(hash);
    if (generation !== this.#generation) return principal;
    if (principal) this.#accepted.set(hash, principal, now);
    else this.#refused.set(hash, undefined, now);
    return principal;
  }
}

const unexpired = (principal: Principal | undefined, now: Date): Principal | undefined =>
  principal?.expiresAt && principal.expiresAt <= now ? undefined : principal;
