import { delivered } from "@glovebox/scan-run";
import { scanFailure, type Plan } from "@glovebox/contract";
import type { Account, ScheduleTerms, Store } from "@glovebox/store";
import { openStoreAt, plainSql } from "@glovebox/store/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Submitting } from "../scans/submit-scan.ts";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { newAccount } from "../testing/harness.ts";
import { HOURLY, NOON, scheduledIn, submittingWith, type Calls } from "../testing/schedule-runs.ts";
import { createScheduleRunner } from "./runner.ts";

const after = (minutes: number): Date => new Date(NOON.getTime() + minutes * 60_000);
const PUBLIC = ["93.184.215.14"];
let at = NOON;
let database: TestDatabase;
let store: Store;
let account: Account;
let calls: Calls;
let addresses: () => Promise<string[]>;

beforeAll(async () => {
  database = await testDatabase();
  store = await openStoreAt({ url: database.url, maxConnections: 8 }, () => at);
});
beforeEach(async () => {
  at = NOON;
  calls = { launched: [], cancelled: [] };
  addresses = async () => PUBLIC;
  const sql = plainSql(database.url);
  await sql`delete from schedules`;
  await sql.end();
  ({ account } = await newAccount(store));
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const servicesOf = (over: Partial<Store> = {}): Submitting =>
  submittingWith({ store: { ...store, ...over }, calls, addresses: () => addresses(), now: () => at });

const decideAt = async (minutes: number, services = servicesOf()): Promise<void> => {
  at = after(minutes);
  await createScheduleRunner(services).run();
};

/** From now on a lookup waits for `respond`; `asked` resolves when one waits. */
function holdLookups() {
  const [asked, responded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  addresses = async () => {
    asked.resolve();
    await responded.promise;
    return PUBLIC;
  };
  return { asked: asked.promise, respond: responded.resolve };
}

const scheduled = (over: Partial<ScheduleTerms> = {}, of = account): Promise<string> =>
  scheduledIn(store, of.id, over);

const scansOf = async (of = account) => (await store.scans.list(of.id, { limit: 50, offset: 0 })).scans;
const runsOf = (id: string) => store.scheduleRuns.list(id);
const end = (scan: string | null): Promise<boolean> =>
  store.work.record(scan!, delivered({ status: "failed", failure: scanFailure("connection_refused") }));

test("a run that is due starts the scan that POST /v1/scan would start, once, and is listed with it", async () => {
  const id = await scheduled();
  await decideAt(59);
  expect(await scansOf()).toEqual([]);
  await decideAt(60);
  await decideAt(61);
  const scans = await scansOf();
  expect(scans).toMatchObject([{ url: HOURLY.url, status: "processing" }]);
  expect(calls.launched).toEqual([scans[0]!.id]);
  expect(await store.scans.get(account.id, scans[0]!.id)).toMatchObject({
    context: "internal",
    specUrl: null,
  });
  expect(await runsOf(id)).toEqual([
    {
      ...{
        scheduledAt: after(60),
        decidedAt: after(60),
        outcome: "started",
        missed: 0,
        code: null,
        reason: null,
      },
      ...{ scanId: scans[0]!.id, scanStatus: "processing", grade: null },
    },
  ]);
  expect(await store.schedules.get(account.id, id)).toMatchObject({ nextRunAt: after(120), missedRuns: 0 });
});

describe("exactly one scan a run", () => {
  test("exactly one scan a run of several processes that look at the same time, one starts each run", async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => scheduled()));
    at = after(60);
    await Promise.all([1, 2, 3, 4].map(() => createScheduleRunner(servicesOf()).run()));
    expect(await scansOf()).toHaveLength(12);
    for (const id of ids) expect(await runsOf(id)).toMatchObject([{ outcome: "started" }]);
  });

  test("a process killed between claim and submission leaves the run to another one, after its claim", async () => {
    const id = await scheduled();
    at = after(60);
    expect(await store.scheduleRuns.claim(60, 10)).toMatchObject([{ id }]);
    await decideAt(60.5);
    expect(await scansOf()).toEqual([]);
    await decideAt(61);
    expect(await scansOf()).toHaveLength(1);
    await decideAt(62);
    expect(await scansOf()).toHaveLength(1);
  });

  test("a process killed within the submission leaves neither scan nor charge, and another one starts the run", async () => {
    const id = await scheduled();
    const changing: Store["changing"] = (actor) => (task) =>
      store.changing(actor)(async (tables) => {
        await task(tables);
        throw new Error("killed before the commit");
      });
    await decideAt(60, servicesOf({ changing }));
    expect([await scansOf(), await runsOf(id), calls.launched]).toEqual([[], [], []]);
    await decideAt(61);
    expect(await scansOf()).toHaveLength(1);
    expect((await store.usage.ofMonth(account.id)).started).toBe(1);
    expect(await store.audit.list(account.id, { action: "scan.", limit: 9 })).toMatchObject([
      { action: "scan.start", actor: "schedule Hourly", userId: null, keyId: null },
    ]);
  });

  test("a process that was thought dead and goes on starts nothing: its claim has passed to another one", async () => {
    const id = await scheduled();
    const { asked, respond } = holdLookups();
    const slow = decideAt(60);
    await asked;
    addresses = async () => PUBLIC;
    await decideAt(61);
    respond();
    await slow;
    expect(await scansOf()).toHaveLength(1);
    expect(await runsOf(id)).toHaveLength(1);
  });

  test("a schedule that is changed or deleted while a process decides starts nothing by its old terms", async () => {
    const [changed, removed] = [await scheduled(), await scheduled()];
    const { asked, respond } = holdLookups();
    const deciding = decideAt(60);
    await asked;
    await store.schedules.update(changed, { ...HOURLY, suspend: true, decidedUntil: at, nextRunAt: null });
    await store.schedules.remove(removed);
    respond();
    await deciding;
    expect(await scansOf()).toEqual([]);
  });
});

describe("while the scan before runs", () => {
  test("Forbid skips the run and says so, until the scan has ended", async () => {
    const id = await scheduled();
    await decideAt(60);
    await decideAt(120);
    expect(await runsOf(id)).toMatchObject([
      { outcome: "skipped", reason: "The previous scan had not ended.", scanId: null },
      { outcome: "started" },
    ]);
    await end((await runsOf(id))[1]!.scanId);
    await decideAt(180);
    expect((await runsOf(id))[0]).toMatchObject({ outcome: "started", scheduledAt: after(180) });
  });

  test("Allow starts another scan beside it", async () => {
    await scheduled({ concurrencyPolicy: "Allow" });
    await decideAt(60);
    await decideAt(120);
    expect(await scansOf()).toMatchObject([{ status: "processing" }, { status: "processing" }]);
  });

  test("Replace cancels it and starts another", async () => {
    const id = await scheduled({ concurrencyPolicy: "Replace" });
    await decideAt(60);
    await decideAt(120);
    const [second, first] = await runsOf(id);
    expect([second!.scanStatus, first!.scanStatus]).toEqual(["processing", "failed"]);
    expect(calls.cancelled).toEqual([first!.scanId]);
  });

  test("Replace leaves it alone when the new scan is refused, and never deletes one that has ended meanwhile", async () => {
    const id = await scheduled({ concurrencyPolicy: "Replace" });
    await decideAt(60);
    addresses = async () => ["10.0.0.1"];
    await decideAt(120);
    expect(await runsOf(id)).toMatchObject([{ code: "invalid_url" }, { scanStatus: "processing" }]);
    const first = (await runsOf(id))[1]!.scanId;
    addresses = () => end(first).then(() => PUBLIC);
    await decideAt(180);
    expect(await scansOf()).toMatchObject([{ status: "processing" }, { id: first, status: "failed" }]);
    expect(calls.cancelled).toEqual([]);
  });
});

describe("what is not started", () => {
  test("runs past their deadline are missed: counted, listed, and only the latest that is in time is started", async () => {
    const id = await scheduled();
    const services = servicesOf();
    await decideAt(3 * 60 + 5, services);
    const { values } = await services.metrics.scheduleRuns.get();
    expect(values.map(({ value }) => value)).toEqual([1, 0, 2, 0]); // started, skipped, missed, failed
    expect(await runsOf(id)).toMatchObject([
      { outcome: "started", scheduledAt: after(180) },
      { outcome: "missed", missed: 2, scheduledAt: null },
    ]);
    await end((await runsOf(id))[0]!.scanId);
    await decideAt(4 * 60 + 11);
    expect((await runsOf(id))[0]).toMatchObject({ outcome: "missed", missed: 1 });
    expect(await store.schedules.get(account.id, id)).toMatchObject({ missedRuns: 3 });
    expect(await scansOf()).toHaveLength(1);
  });

  test("a jitter delays the run by the same time in every process", async () => {
    const id = await scheduled({ jitterSeconds: 3000 });
    const due = (await store.schedules.get(account.id, id))!.nextRunAt!;
    const minutes = (due.getTime() - NOON.getTime()) / 60_000;
    expect(minutes).toBeGreaterThan(60);
    await decideAt(minutes - 0.01);
    expect(await runsOf(id)).toEqual([]);
    await decideAt(minutes);
    expect(await runsOf(id)).toMatchObject([{ outcome: "started", scheduledAt: after(60) }]);
  });

  const refusals: [string, () => Promise<unknown>, string, RegExp][] = [
    [
      "an address that is refused now",
      async () => (addresses = async () => ["10.0.0.1"]),
      "invalid_url",
      /^url: /,
    ],
    [
      "a plan without schedules",
      () => planned("starter"),
      "forbidden",
      /^The plan does not include schedules/,
    ],
    [
      "a plan with a longer interval",
      () => planned("pro"),
      "invalid_request",
      /^schedule: runs more often than/,
    ],
    ["a suspended account", () => store.accounts.setSuspended(account.id, true), "forbidden", /suspended/],
    ["a quota that is used up", () => setTerms({ scansPerMonth: 0 }), "rate_limit_exceeded", /this month/],
  ];
  const setTerms = (over: object) =>
    store.accounts.setTerms(account.id, {
      plan: "enterprise",
      requestsPerMinute: null,
      scansPerMonth: null,
      activeMode: false,
      ...over,
    });
  const planned = (plan: Plan) => setTerms({ plan });

  test.each(refusals)("%s is a failed run with its error code, and the next run is tried", async (...row) => {
    const [, arrange, code, reason] = row;
    const id = await scheduled({ schedule: "*/15 * * * *" });
    await arrange();
    await decideAt(15);
    expect(await runsOf(id)).toMatchObject([
      {
        outcome: "failed",
        code,
        reason: expect.stringMatching(reason),
        scanId: null,
        scheduledAt: after(15),
      },
    ]);
    expect([await scansOf(), calls.launched]).toEqual([[], []]);
    expect((await store.schedules.get(account.id, id))!.nextRunAt).toEqual(after(30));
  });

  test("a service that is away for a moment delays the run", async () => {
    const id = await scheduled();
    const away = servicesOf();
    const installation = async () => Promise.reject(new Error("no cluster"));
    await decideAt(60, { ...away, launcher: { ...away.launcher, installation } });
    expect(await runsOf(id)).toEqual([]);
    await decideAt(61);
    expect(await runsOf(id)).toMatchObject([{ outcome: "started", decidedAt: after(61) }]);
  });
});

test("a scan that was deleted is no longer named", async () => {
  const id = await scheduled();
  await decideAt(60);
  const [{ scanId } = { scanId: null }] = await runsOf(id);
  await end(scanId);
  await store.scans.remove(account.id, scanId!);
  expect(await runsOf(id)).toMatchObject([{ outcome: "started", scanId: null, scanStatus: null }]);
});
