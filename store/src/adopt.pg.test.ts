import { newScanId } from "@glovebox/contract";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { NOON, after, crashed, created, newAccount, submit } from "./fixtures.ts";
import { openStore } from "./open-store.ts";
import type { Account, Adoption, Store } from "./store.ts";
import { freshDatabase } from "./testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let other: Store;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url });
  other = await openStore({ url: database.url });
});
afterAll(async () => {
  await Promise.all([store.close(), other.close()]);
  await database.drop();
});

const adoption = (account: Pick<Account, "name">, over: Partial<Adoption> = {}): Adoption => ({
  id: newScanId(NOON),
  accountName: account.name,
  url: "https://api.example/v1",
  now: NOON,
  scansPerMonth: null,
  ...over,
});
const total = async ({ id }: Account) => (await store.scans.list(id, { limit: 1, offset: 0 })).total;

describe("a Scan applied by hand", () => {
  test("is adopted as a processing scan of its account, with what it asks for", async () => {
    const account = await newAccount(store);
    const asked = adoption(account, { specUrl: "https://api.example/spec.json", context: "medical" });
    expect(await store.scans.adopt(asked)).toBe("adopted");
    expect((await store.scans.get(account.id, asked.id))?.scan).toMatchObject({
      id: asked.id,
      url: asked.url,
      specUrl: asked.specUrl,
      context: "medical",
      status: "processing",
      createdAt: NOON,
    });
    expect(await total(account)).toBe(1);
  });

  test("counts as launched", async () => {
    const account = await newAccount(store);
    const asked = adoption(account);
    await store.scans.adopt(asked);
    expect(await idsOf(store.launches.unlaunched(after(60), 100))).not.toContain(asked.id);
    expect(await idsOf(store.launches.launched(after(60)))).toContain(asked.id);
  });

  test("is known the second time, also when it has ended, and charged once", async () => {
    const account = await newAccount(store, "free");
    const asked = adoption(account, { scansPerMonth: 2 });
    expect(await store.scans.adopt(asked)).toBe("adopted");
    expect(await store.scans.adopt(asked)).toBe("known");
    await store.work.record(asked.id, crashed);
    expect(await store.scans.adopt(asked)).toBe("known");
    expect(await total(account)).toBe(1);
  });

  test("is adopted once of 20 times at once over two stores, and charged once", async () => {
    const account = await newAccount(store, "free");
    const asked = adoption(account, { scansPerMonth: 2 });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).scans.adopt(asked)),
    );
    const { adopted = [], known = [] } = Object.groupBy(results, (result) => result);
    expect([adopted.length, known.length]).toEqual([1, 19]);
    expect(await submit(store, account, { scansPerMonth: 2 })).toMatchObject({ outcome: "created" });
    expect(await submit(store, account, { scansPerMonth: 2 })).toEqual({ outcome: "quotaExceeded" });
  });

  test("of an account that nobody declared is refused", async () => {
    expect(await store.scans.adopt(adoption({ name: "nobody" }))).toBe("unknownAccount");
  });

  test("over the quota is refused, leaves nothing behind, and is adopted once there is room", async () => {
    const account = await newAccount(store, "free");
    const first = await created(store, account, { scansPerMonth: 1 });
    const asked = adoption(account, { scansPerMonth: 1 });
    expect(await store.scans.adopt(asked)).toBe("quotaExceeded");
    expect(await total(account)).toBe(1);
    await store.work.record(first, crashed);
    expect(await store.scans.adopt(asked)).toBe("adopted");
  });
});

const idsOf = async (scans: Promise<{ id: string }[]>) => (await scans).map(({ id }) => id);
