import { hashApiKey, newApiKey, type Principal, type KeyStore } from "@glovebox/store";
import { beforeEach, describe, expect, test } from "vitest";
import { ApiKeyCache } from "./api-key-cache.ts";

// keys.pg.test.ts has the cache over the real store; here are the moments that cannot be hit there.
const key = newApiKey();
const principal: Principal = {
  keyId: "key-1",
  keyName: "one",
  account: {
    ...{ id: "a", name: "a", plan: "free", owner: null },
    ...{ requestsPerMinute: null, scansPerMonth: null, activeMode: false, suspendedAt: null },
  },
  scopes: [],
  expiresAt: null,
};
let clock: number;
let known: Principal | undefined;
let lookUps: string[];
let gate: Promise<void>;
let cache: ApiKeyCache;

beforeEach(() => {
  clock = 1_000_000;
  known = principal;
  lookUps = [];
  gate = Promise.resolve();
  const store = {
    findByHash: async (hash: string) => {
      lookUps.push(hash);
      const found = known;
      await gate;
      return found;
    },
  } as unknown as KeyStore;
  cache = new ApiKeyCache(store, () => new Date(clock));
});

describe("ApiKeyCache", () => {
  test("refuses what has not the checksum of a key without a look-up", async () => {
    expect(await cache.principalOf(`${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`)).toBeUndefined();
    expect(lookUps).toEqual([]);
  });

  test("looks an accepted key up again after less than five seconds", async () => {
    await cache.principalOf(key);
    clock += 3_999;
    expect(await cache.principalOf(key)).toBe(principal);
    expect(lookUps).toEqual([hashApiKey(key)]);
    known = undefined;
    clock += 1;
    expect(await cache.principalOf(key)).toBeUndefined();
  });

  test("shares one look-up among simultaneous requests", async () => {
    expect(
      await Promise.all([cache.principalOf(key), cache.principalOf(key), cache.principalOf(key)]),
    ).toEqual([principal, principal, principal]);
    expect(lookUps).toHaveLength(1);
  });

  test("refuses a forgotten key immediately", async () => {
    await cache.principalOf(key);
    known = undefined;
    cache.forget("key-2");
    expect(await cache.principalOf(key)).toBe(principal);
    cache.forget("key-1");
    expect(await cache.principalOf(key)).toBeUndefined();
  });

  test("ApiKeyCache does not remember what a look-up found that a revocation overtook", async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const overtaken = cache.principalOf(key);
    known = undefined;
    cache.forget("key-1");
    const after = cache.principalOf(key);
    open();
    await overtaken;
    expect(await after).toBeUndefined();
    expect(await cache.principalOf(key)).toBeUndefined();
  });

  test("forgets all keys when events may have been missed", async () => {
    await cache.principalOf(key);
    known = undefined;
    cache.forgetAll();
    expect(await cache.principalOf(key)).toBeUndefined();
  });

  test("refuses a key from the moment it expires, although it is remembered", async () => {
    known = { ...principal, expiresAt: new Date(clock + 500) };
    expect(await cache.principalOf(key)).toBe(known);
    clock += 500;
    expect(await cache.principalOf(key)).toBeUndefined();
  });

  test("remembers a refused key for a second", async () => {
    known = undefined;
    await cache.principalOf(key);
    known = principal;
    clock += 999;
    expect(await cache.principalOf(key)).toBeUndefined();
    clock += 1;
    expect(await cache.principalOf(key)).toBe(principal);
  });

  test("fails when the look-up fails, and asks again the next time", async () => {
    gate = Promise.reject(new Error("away"));
    await expect(cache.principalOf(key)).rejects.toThrow("away");
    gate = Promise.resolve();
    expect(await cache.principalOf(key)).toBe(principal);
  });
});
