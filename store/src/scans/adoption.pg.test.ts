import { randomUUID } from "node:crypto";
import { type Identity, PLANS, PLAN_NAMES, newScanId } from "@glovebox/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, clock, crashed, created, newAccount, submit } from "../testing/fixtures.ts";
import type { Account, ResourceScan, Store } from "../index.ts";
import { newIdentityKey, parseIdentityKeys } from "../identities/identity-keys.ts";
import { freshDatabase, openStoreAt, setQuota } from "../testing.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let other: Store;

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  const identityKeys = parseIdentityKeys(newIdentityKey());
  store = await openStoreAt({ url: database.url, identityKeys }, () => clock.at);
  other = await openStoreAt({ url: database.url }, () => clock.at);
});
beforeEach(async () => {
  clock.at = NOON;
  for (const plan of PLAN_NAMES) await setQuota(database.url, plan, PLANS[plan].scansPerMonth);
});
afterAll(async () => {
  await Promise.all([store.close(), other.close()]);
  await database.drop();
});

const adoption = (account: Pick<Account, "name">, over: Partial<ResourceScan> = {}): ResourceScan => ({
  id: newScanId(NOON),
  accountName: account.name,
  url: "https://api.example/v1",
  uid: randomUUID(),
  namespace: "scans",
  installation: "here",
  ...over,
});
const total = async ({ id }: Account) => (await store.scans.list(id, { limit: 1, offset: 0 })).total;

describe("a Scan applied by hand", () => {
  test("a Scan applied by hand is adopted as a processing scan of its account, with what it asks for", async () => {
    const account = await newAccount(store);
    const asked = adoption(account, { specUrl: "https://api.example/spec.json", context: "medical" });
    expect(await store.scans.adopt(asked)).toEqual({ outcome: "adopted" });
    expect(await store.scans.get(account.id, asked.id)).toMatchObject({
      id: asked.id,
      url: asked.url,
      specUrl: asked.specUrl,
      context: "medical",
      status: "processing",
      createdAt: NOON,
    });
    expect(await total(account)).toBe(1);
  });

  test("a Scan applied by hand in active mode is adopted of an account that may write to its targets, and charged to no other", async () => {
    const account = await newAccount(store);
    const asked = adoption(account, { mode: "active" });
    expect(await store.scans.adopt(asked)).toEqual({ outcome: "activeModeForbidden" });
    expect(await total(account)).toBe(0);
    const { name, plan } = account;
    await store.accounts.declare({ name, plan, activeMode: true });
    expect(await store.scans.adopt(asked)).toEqual({ outcome: "adopted" });
    expect(await store.scans.find(account.id, asked.id)).toMatchObject({ mode: "active" });
  });

  test("counts as launched", async () => {
    const account = await newAccount(store);
    const asked = adoption(account);
    await store.scans.adopt(asked);
    const { uid, namespace } = asked;
    clock.at = after(60);
    expect(await idsOf(store.launches.unlaunched("here", 0, 100))).not.toContain(asked.id);
    expect(await store.launches.launched("here", 0)).toContainEqual({ id: asked.id, uid, namespace });
    expect(await idsOf(store.launches.launched("elsewhere", 0))).not.toContain(asked.id);
  });

  test("a Scan applied by hand is known the second time, also when it has ended, and charged once", async () => {
    const account = await newAccount(store, "free");
    await setQuota(database.url, account.plan, 2);
    const asked = adoption(account);
    expect(await store.scans.adopt(asked)).toEqual({ outcome: "adopted" });
    expect(await store.scans.adopt(asked)).toEqual({ outcome: "known" });
    await store.work.record(asked.id, crashed);
    expect(await store.scans.adopt(asked)).toEqual({ outcome: "known" });
    expect(await total(account)).toBe(1);
  });

  test("a Scan applied by hand is adopted once of 20 simultaneous times over two stores, and charged once", async () => {
    const account = await newAccount(store, "free");
    await setQuota(database.url, account.plan, 2);
    const asked = adoption(account);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).scans.adopt(asked)),
    );
    const { adopted = [], known = [] } = Object.groupBy(results, ({ outcome }) => outcome);
    expect([adopted.length, known.length]).toEqual([1, 19]);
    expect(await submit(store, account)).toMatchObject({ outcome: "created" });
    expect(await submit(store, account)).toMatchObject({ outcome: "quotaExceeded" });
  });

  test("a Scan applied by hand of an account that nobody declared is refused", async () => {
    expect(await store.scans.adopt(adoption({ name: "nobody" }))).toEqual({ outcome: "unknownAccount" });
  });

  test("a Scan applied by hand over the quota is refused, leaves nothing behind, and is adopted once there is room", async () => {
    const account = await newAccount(store, "free");
    await setQuota(database.url, account.plan, 1);
    const first = await created(store, account);
    const asked = adoption(account);
    expect(await store.scans.adopt(asked)).toEqual({
      outcome: "quotaExceeded",
      plan: "free",
      scansPerMonth: 1,
    });
    expect(await total(account)).toBe(1);
    await store.work.record(first, crashed);
    expect(await store.scans.adopt(asked)).toEqual({ outcome: "adopted" });
  });
});

describe("a resource that claims a row", () => {
  const spec = {
    url: "https://api.example/v1",
    specUrl: "https://api.example/spec",
    context: "public",
  } as const;
  const bindingOf = (id: string, over: Partial<ResourceScan> = {}): ResourceScan => ({
    ...{ id, ...spec, accountName: undefined },
    uid: randomUUID(),
    namespace: "scans",
    installation: "here",
    ...over,
  });
  const uidOf = async (id: string) => (await store.work.find(id))?.resourceUid;

  test("a resource that claims a row and asks for the same has it, and the row counts as launched", async () => {
    const account = await newAccount(store);
    const id = await created(store, account, { ...spec, installation: "elsewhere" });
    const binding = bindingOf(id, { accountName: account.name });
    expect(await uidOf(id)).toBeNull();
    expect(await store.scans.bind(binding)).toBe(true);
    expect(await uidOf(id)).toBe(binding.uid);
    const { uid, namespace } = binding;
    clock.at = after(1);
    expect(await store.launches.launched("here", 0)).toContainEqual({ id, uid, namespace });
  });

  test("counts as launched only once that is noted, if it has identities, whose Secret may be missing", async () => {
    const account = await newAccount(store);
    const identities: Identity[] = [{ name: "alice", role: "user", headers: { Authorization: "Bearer a" } }];
    const id = await created(store, account, { ...spec, installation: "here", identities });
    const binding = bindingOf(id, { accountName: account.name });
    expect(await store.scans.bind(binding)).toBe(true);
    const { uid, namespace } = binding;
    clock.at = after(1);
    expect(await idsOf(store.launches.unlaunched("here", 0, 100))).toContain(id);
    await store.launches.note([{ id, uid, namespace }], "here");
    clock.at = after(2);
    expect(await idsOf(store.launches.unlaunched("here", 0, 100))).not.toContain(id);
    expect(await store.launches.launched("here", 0)).toContainEqual({ id, uid, namespace });
  });

  test.each<[string, Partial<ResourceScan>]>([
    ["another address", { url: "https://api.example/v2" }],
    ["another document", { specUrl: "https://api.example/other" }],
    ["no document", { specUrl: undefined }],
    ["another context", { context: "medical" }],
    ["no context", { context: undefined }],
    ["another account", { accountName: "somebody" }],
  ])("a resource that claims a row and asks for %s has it not", async (_, over) => {
    const id = await created(store, await newAccount(store), spec);
    expect(await store.scans.bind(bindingOf(id, over))).toBe(false);
    expect(await uidOf(id)).toBeNull();
  });

  test("a resource that claims a row has it not once it is another's: adopted, launched or bound", async () => {
    const account = await newAccount(store);
    const asked = adoption(account, spec);
    await store.scans.adopt(asked);
    const [launched, bound] = [await created(store, account, spec), await created(store, account, spec)];
    await store.launches.note([{ id: launched, uid: "first", namespace: "scans" }], "here");
    await store.scans.bind(bindingOf(bound));
    for (const id of [asked.id, launched, bound]) {
      const before = await uidOf(id);
      expect(await store.scans.bind(bindingOf(id))).toBe(false);
      expect(before).not.toBeNull();
      expect(await uidOf(id)).toBe(before);
    }
  });

  test("a resource that claims a row is one of 20 that say so at the same time over two stores", async () => {
    const id = await created(store, await newAccount(store), spec);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 ? store : other).scans.bind(bindingOf(id))),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  test("a resource that claims a row and is noted as another's afterwards keeps it", async () => {
    const id = await created(store, await newAccount(store), spec);
    const binding = bindingOf(id);
    await store.scans.bind(binding);
    await store.launches.note([{ id, uid: "late", namespace: "scans" }], "here");
    expect(await uidOf(id)).toBe(binding.uid);
  });
});

const idsOf = async (scans: Promise<{ id: string }[]>) => (await scans).map(({ id }) => id);
