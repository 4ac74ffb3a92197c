import { randomBytes } from "node:crypto";
import type { Account, Store } from "@glovebox/store";
import { parseIdentityKeys } from "@glovebox/store/identity-keys";
import { openStoreAt } from "@glovebox/store/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { newAccount } from "../testing/harness.ts";
import { NOON, scheduledIn, submittingWith, type Calls } from "../testing/schedule-runs.ts";
import { createScheduleRunner } from "./runner.ts";

let at = NOON;
let database: TestDatabase;
let store: Store;
let account: Account;
let calls: Calls;

beforeAll(async () => {
  database = await testDatabase();
  const identityKeys = parseIdentityKeys(randomBytes(32).toString("base64"));
  store = await openStoreAt({ url: database.url, maxConnections: 8, identityKeys }, () => at);
});
beforeEach(async () => {
  at = NOON;
  calls = { launched: [], cancelled: [] };
  ({ account } = await newAccount(store));
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const servicesOf = (over: Partial<Store> = {}) =>
  submittingWith({
    store: { ...store, ...over },
    calls,
    addresses: async () => ["93.184.215.14"],
    now: () => at,
  });
const decideAt = async (minutes: number, services = servicesOf()): Promise<void> => {
  at = new Date(NOON.getTime() + minutes * 60_000);
  await createScheduleRunner(services).run();
};
const scansOf = async () => (await store.scans.list(account.id, { limit: 50, offset: 0 })).scans;
const runsOf = (id: string) => store.scheduleRuns.list(id);

describe("a schedule with a saved set", () => {
  const set = { name: "staging", origin: "https://api.example" };
  const file = {
    identities: [{ name: "alice", role: "user" as const, headers: { "X-Key": "s3cret" } }],
    expectations: [{ role: "user" as const, deny: ["/admin/**"] }],
  };
  const terms = { identitySet: "staging", include: ["/orders/**"], exclude: ["DELETE"] };

  test("a schedule with a saved set signs in with what the set holds at the time of the run, and limits the scan", async () => {
    await store.identitySets.save(account.id, set, { identities: file.identities });
    await scheduledIn(store, account.id, terms);
    await store.identitySets.save(account.id, set, file);
    await decideAt(60);
    const { id } = (await scansOf())[0]!;
    expect(await store.identities.ofScan(id)).toEqual(file);
    expect(await store.scans.get(account.id, id)).toMatchObject({
      ...{ include: ["/orders/**"], exclude: ["DELETE"], identityNames: ["alice"] },
    });
  });

  test("a schedule with a saved set that was deleted fails with the reason and charges nothing, and runs again once it is saved again", async () => {
    const { id: setId } = (await store.identitySets.save(account.id, set, file))!;
    const id = await scheduledIn(store, account.id, terms);
    await store.identitySets.delete(account.id, setId);
    await decideAt(60);
    expect(await runsOf(id)).toMatchObject([
      {
        ...{ outcome: "failed", code: "invalid_request", scanId: null },
        reason: "identitySet: is not a saved set of this target",
      },
    ]);
    expect([await scansOf(), calls.launched]).toEqual([[], []]);
    await store.identitySets.save(account.id, set, file);
    await decideAt(120);
    expect((await runsOf(id))[0]).toMatchObject({ outcome: "started" });
  });

  test("a schedule with a saved set fails where the service no longer has a key", async () => {
    await store.identitySets.save(account.id, set, file);
    const id = await scheduledIn(store, account.id, terms);
    const withoutKey = await openStoreAt({ url: database.url, maxConnections: 2 }, () => at);
    await decideAt(60, servicesOf({ identities: withoutKey.identities }));
    await withoutKey.close();
    const reason = expect.stringContaining("GLOVEBOX_IDENTITY_KEY_FILE") as string;
    expect(await runsOf(id)).toMatchObject([{ outcome: "failed", code: "forbidden", reason }]);
    expect(await scansOf()).toEqual([]);
  });
});
