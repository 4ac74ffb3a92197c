import { randomUUID } from "node:crypto";
import { MAX_SCHEDULES } from "@glovebox/contract/schedules";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, clock, connectionRefused, created, newAccount } from "../testing/fixtures.ts";
import type { Account, ClaimedSchedule, ScheduleDecision, ScheduleTerms, Store } from "../index.ts";
import { freshDatabase, openStoreAt, plainSql, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let store: Store;
let account: Account;
beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
});
afterAll(async () => {
  await store.close();
  await database.drop();
});
beforeEach(async () => {
  clock.at = NOON;
  const sql = plainSql(database.url);
  await sql`delete from schedules`;
  await sql.end();
  account = await newAccount(store);
});

const TERMS: ScheduleTerms = {
  ...{
    name: "Hourly",
    url: "https://api.example/v1",
    include: null,
    exclude: null,
    identitySet: null,
    specUrl: null,
    context: null,
    historyLimit: 2,
  },
  ...{ schedule: "0 * * * *", timeZone: "Etc/UTC", jitterSeconds: 0, startingDeadlineSeconds: 600 },
  ...{ concurrencyPolicy: "Forbid", suspend: false },
};
const DUE = { decidedUntil: NOON, nextRunAt: NOON };

async function due(over: Partial<ScheduleTerms> = {}): Promise<string> {
  const id = randomUUID();
  await store.schedules.create(account.id, id, { ...TERMS, ...over, ...DUE });
  return id;
}

/** Due again immediately. */
const decision = (scheduledAt: Date, run: object = {}): ScheduleDecision => ({
  ...{ decidedUntil: scheduledAt, nextAt: NOON, missed: 0 },
  run: { scheduledAt, outcome: "skipped", code: null, reason: "Busy.", scanId: null, ...run },
});
const claim = (limit = 100): Promise<ClaimedSchedule[]> => store.scheduleRuns.claim(60, limit);

/** Decides about the one schedule that is due. */
async function decided(given: ScheduleDecision): Promise<ClaimedSchedule> {
  const [claimed] = await claim();
  expect(await store.scheduleRuns.record(claimed!, given)).toBe(true);
  return claimed!;
}

describe("claims", () => {
  test("processes that claim at the same time never get the same schedule", async () => {
    for (let count = 0; count < 6; count++) await due();
    const claimed = (await Promise.all([1, 2, 3, 4].map(() => claim(2)))).flat().map(({ id }) => id);
    expect(claimed).toHaveLength(6);
    expect(new Set(claimed).size).toBe(6);
  });

  test("a claim ends after its time, and what is recorded by it then is refused", async () => {
    const id = await due();
    const [first] = await claim();
    clock.at = after(59);
    expect(await claim()).toEqual([]);
    clock.at = after(60);
    const [second] = await claim();
    expect(await store.scheduleRuns.record(first!, decision(NOON))).toBe(false);
    expect(await store.scheduleRuns.record(second!, decision(NOON))).toBe(true);
    expect(await store.scheduleRuns.record(second!, decision(after(3600)))).toBe(false);
    expect(await store.scheduleRuns.list(id)).toHaveLength(1);
  });

  test("a change ends the claim, and the schedule can be claimed again", async () => {
    const id = await due();
    const [before] = await claim();
    await store.schedules.update(id, { ...TERMS, name: "Renamed", ...DUE });
    expect(await store.scheduleRuns.record(before!, decision(NOON))).toBe(false);
    expect(await claim()).toMatchObject([{ id, name: "Renamed" }]);
  });

  test("one that is suspended, or due later, is not claimed", async () => {
    await store.schedules.create(account.id, randomUUID(), { ...TERMS, ...DUE, nextRunAt: null });
    await store.schedules.create(account.id, randomUUID(), { ...TERMS, ...DUE, nextRunAt: after(1) });
    expect(await claim()).toEqual([]);
  });
});

test("no run is recorded twice, with any claims", async () => {
  await due();
  await decided(decision(NOON));
  const [again] = await claim();
  await expect(store.scheduleRuns.record(again!, decision(NOON))).rejects.toMatchObject({ code: "23505" });
});

test("runs beyond the history limit are deleted, but one whose scan still runs is known as running", async () => {
  const id = await due();
  const scanId = await created(store, account);
  await decided(decision(NOON, { outcome: "started", scanId }));
  for (const hour of [1, 2, 3])
    expect(await decided(decision(after(hour * 3600)))).toMatchObject({ running: [scanId] });
  expect(await store.scheduleRuns.list(id)).toMatchObject([{ outcome: "skipped" }, { outcome: "skipped" }]);
  await store.work.record(scanId, connectionRefused);
  expect(await decided(decision(after(4 * 3600)))).toMatchObject({ running: [] });
  const sql = plainSql(database.url);
  expect(await sql`select from schedule_runs`).toHaveLength(2);
  await sql.end();
});

test("missed runs are counted in all, and are a separate run in the list", async () => {
  const id = await due();
  await decided({ ...decision(NOON), missed: 3, run: undefined });
  await decided({ ...decision(after(3600)), missed: 2 });
  expect(await store.scheduleRuns.list(id)).toMatchObject([
    { outcome: "skipped", missed: 0 },
    { outcome: "missed", missed: 2, scheduledAt: null },
  ]);
  expect(await store.schedules.get(account.id, id)).toMatchObject({
    ...{ missedRuns: 5, lastRun: { outcome: "skipped", reason: "Busy." } },
  });
});

test(`an account has at most ${MAX_SCHEDULES} schedules, and another one its own`, async () => {
  for (let count = 0; count < MAX_SCHEDULES; count++) await due();
  const create = (of: Account) => store.schedules.create(of.id, randomUUID(), { ...TERMS, ...DUE });
  expect([await create(account), await create(await newAccount(store))]).toEqual([false, true]);
  expect(await store.schedules.list(account.id)).toHaveLength(MAX_SCHEDULES);
});

test("an account has no more schedules when many are created at the same time", async () => {
  const create = () => store.schedules.create(account.id, randomUUID(), { ...TERMS, ...DUE });
  const created = await Promise.all(Array.from({ length: MAX_SCHEDULES + 60 }, create));
  expect(created.filter(Boolean)).toHaveLength(MAX_SCHEDULES);
  expect(await store.schedules.list(account.id)).toHaveLength(MAX_SCHEDULES);
});
