import { hashApiKey, isApiKey } from "@glovebox/contract";
import type { Principal, KeyStore } from "@glovebox/store";

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
    if (!isApiKey(key)) return undefined;
    const hash = hashApiKey(key);
    const now = this.#now();
    const known = this.#accepted.get(hash, now) ?? this.#refused.get(hash, now);
    return unexpired(known ? known.value : await this.#lookUp(hash, now), now);
  }

  /** Drops a key at once: it was revoked. */
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

/** A bounded cache; entries expire after a fixed time, and the oldest is evicted first. */
export class ExpiringCache<T> {
  readonly #ms: number;
  readonly #maxEntries: number;
  readonly #entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor({ ms, maxEntries }: { ms: number; maxEntries: number }) {
    this.#ms = ms;
    this.#maxEntries = maxEntries;
  }

  get(key: string, now: Date): { readonly value: T } | undefined {
    const entry = this.#entries.get(key);
    return entry && now.getTime() < entry.until ? entry : undefined;
  }

  set(key: string, value: T, askedAt: Date): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: askedAt.getTime() + this.#ms });
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  deleteWhere(matches: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value)) this.#entries.delete(key);
  }
}
