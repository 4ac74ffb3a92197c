import { hashApiKey, newApiKey } from "@glovebox/contract";
import type { KeyHolder, KeyStore } from "@glovebox/store";
import { beforeEach, describe, expect, test } from "vitest";
import { KeyRing } from "./key-ring.ts";

// The ring over the real store is held by keys-and-limits.pg.test.ts; here are the moments that cannot be hit there.
const key = newApiKey();
const holder: KeyHolder = {
  keyId: "key-1",
  account: { id: "a", name: "a", plan: "free", owner: null, requestsPerMinute: null },
  scopes: [],
  expiresAt: null,
};
let clock: number;
let known: KeyHolder | undefined;
let lookUps: string[];
let gate: Promise<void>;
let ring: KeyRing;

beforeEach(() => {
  clock = 1_000_000;
  known = holder;
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
  ring = new KeyRing(store, () => new Date(clock));
});

describe("KeyRing", () => {
  test("refuses what has not the checksum of a key without a look-up", async () => {
    expect(await ring.holder(`${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`)).toBeUndefined();
    expect(lookUps).toEqual([]);
  });

  test("looks an accepted key up again after less than five seconds", async () => {
    await ring.holder(key);
    clock += 3_999;
    expect(await ring.holder(key)).toBe(holder);
    expect(lookUps).toEqual([hashApiKey(key)]);
    known = undefined;
    clock += 1;
    expect(await ring.holder(key)).toBeUndefined();
  });

  test("shares one look-up among simultaneous requests", async () => {
    expect(await Promise.all([ring.holder(key), ring.holder(key), ring.holder(key)])).toEqual([
      holder,
      holder,
      holder,
    ]);
    expect(lookUps).toHaveLength(1);
  });

  test("refuses a forgotten key at once", async () => {
    await ring.holder(key);
    known = undefined;
    ring.forget("key-2");
    expect(await ring.holder(key)).toBe(holder);
    ring.forget("key-1");
    expect(await ring.holder(key)).toBeUndefined();
  });

  test("does not remember what a look-up found that a revocation overtook", async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const overtaken = ring.holder(key);
    known = undefined;
    ring.forget("key-1");
    const after = ring.holder(key);
    open();
    await overtaken;
    expect(await after).toBeUndefined();
    expect(await ring.holder(key)).toBeUndefined();
  });

  test("forgets all keys when events may have been missed", async () => {
    await ring.holder(key);
    known = undefined;
    ring.forgetAll();
    expect(await ring.holder(key)).toBeUndefined();
  });

  test("refuses a key from the moment it expires, although it is remembered", async () => {
    known = { ...holder, expiresAt: new Date(clock + 500) };
    expect(await ring.holder(key)).toBe(known);
    clock += 500;
    expect(await ring.holder(key)).toBeUndefined();
  });

  test("remembers a refused key for a second", async () => {
    known = undefined;
    await ring.holder(key);
    known = holder;
    clock += 999;
    expect(await ring.holder(key)).toBeUndefined();
    clock += 1;
    expect(await ring.holder(key)).toBe(holder);
  });

  test("fails when the look-up fails, and asks again the next time", async () => {
    gate = Promise.reject(new Error("away"));
    await expect(ring.holder(key)).rejects.toThrow("away");
    gate = Promise.resolve();
    expect(await ring.holder(key)).toBe(holder);
  });
});
