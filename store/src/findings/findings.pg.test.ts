import {
  FINDING_EVENTS,
  FINDING_STATUSES,
  TRANSITIONS,
  transition,
  type FindingStatus,
} from "@glovebox/domain";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { NOON, after, clock, created, crashed, newAccount } from "../testing/fixtures.ts";
import type { Account, Store } from "../index.ts";
import { reporting, sampleReport, type SampleFinding } from "../testing/sample-reports.ts";
import { freshDatabase, openStoreAt, plainSql, type TestDatabase } from "../testing.ts";

let database: TestDatabase;
let store: Store;
let sql: Sql;
let account: Account;
beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStoreAt({ url: database.url }, () => clock.at);
  sql = plainSql(database.url);
});
afterAll(async () => {
  await sql.end();
  await store.close();
  await database.drop();
});
beforeEach(async () => {
  clock.at = NOON;
  account = await newAccount(store);
});

const A: SampleFinding = { id: "a".repeat(16), places: ["GET /a"] };
const B: SampleFinding = { id: "b".repeat(16), places: ["GET /b", "GET /b2"] };

/** A scan of the target that ended a minute after the one before. Returns its id. */
async function scanned(found: readonly SampleFinding[], passed: readonly string[] = []): Promise<string> {
  const id = await created(store, account, { now: after(60 + (clock.at.getTime() - NOON.getTime()) / 1000) });
  expect(await store.work.record(id, reporting(found, passed))).toBe(true);
  return id;
}
const listed = async (of = account) =>
  (await store.findings.list(of.id, { limit: 100, offset: 0, sort: "oldest" })).rows;
const statuses = async (): Promise<Record<string, FindingStatus>> =>
  Object.fromEntries((await listed()).map(({ findingId, status }) => [findingId[0], status]));
const onlyFinding = async () => (await listed())[0]!;
const tomorrow = () => new Date(clock.at.getTime() + 86_400_000).toISOString();
const ANN = { userId: null, keyId: null, name: "ann", ip: null, requestId: "r" };
const decide = async (event: "accepted" | "markedFalsePositive" | "reinstated") => {
  const reason = "Known";
  const decision = event === "accepted" ? { event, reason, expiresAt: tomorrow() } : { event, reason };
  return store.findings.decide(account.id, [(await onlyFinding()).id], { decision, actor: ANN });
};
const historyOf = async (id: number) =>
  (await store.findings.get(account.id, id))!.history.map(({ event, fromStatus, toStatus }) =>
    [event, fromStatus, toStatus].join(" "),
  );

describe("one finding over several scans", () => {
  test("one finding over several scans is one row, with the first and the last scan that saw it", async () => {
    const first = await scanned([A]);
    const last = await scanned([A]);
    expect(await listed()).toMatchObject([
      { findingId: A.id, status: "open", firstScanId: first, lastScanId: last, place: "GET /a", places: 1 },
    ]);
  });

  test("one finding over several scans is fixed where its location was tested again and passed, and reopened when it is seen again", async () => {
    await scanned([A, B]);
    await scanned([B], ["GET /a"]);
    expect(await statuses()).toEqual({ a: "fixed", b: "open" });
    expect((await onlyFinding()).fixedAt).toEqual(after(120));
    await scanned([A, B]);
    expect(await statuses()).toEqual({ a: "reopened", b: "open" });
    const finding = await onlyFinding();
    expect(finding).toMatchObject({ fixedAt: null, openedAt: after(180) });
    expect(await historyOf(finding.id)).toEqual(["seen  open", "passed open fixed", "seen fixed reopened"]);
  });

  test("stays as it is where it was not tested again", async () => {
    await scanned([A]);
    await scanned([], ["GET /other"]);
    await scanned([]);
    expect(await statuses()).toEqual({ a: "open" });
  });

  test("one finding over several scans is fixed only when all its locations have passed, in one scan or over several", async () => {
    await scanned([B]);
    await scanned([], ["GET /b"]);
    expect(await statuses()).toEqual({ b: "open" });
    await scanned([{ ...B, places: ["GET /b3"] }]);
    await scanned([], ["GET /b2"]);
    expect(await statuses()).toEqual({ b: "open" });
    await scanned([], ["GET /b3"]);
    expect(await statuses()).toEqual({ b: "fixed" });
  });

  test("one finding over several scans is what it is of its target and account only", async () => {
    await scanned([A]);
    const other = await created(store, account, { url: "https://other.example/" });
    await store.work.record(other, reporting([], ["GET /a"]));
    expect(await statuses()).toEqual({ a: "open" });
    const stranger = await newAccount(store);
    expect(await listed(stranger)).toEqual([]);
    const { id } = await onlyFinding();
    expect(await store.findings.get(stranger.id, id)).toBeUndefined();
    const decision = { event: "markedFalsePositive", reason: "Mine" } as const;
    expect(await store.findings.decide(stranger.id, [id], { decision, actor: ANN })).toBe(0);
    expect(await statuses()).toEqual({ a: "open" });
  });

  test("takes severity and title from the last report", async () => {
    await scanned([A]);
    await scanned([{ ...A, severity: "critical", title: "A worse weakness" }]);
    expect(await onlyFinding()).toMatchObject({ severity: "critical", title: "A worse weakness" });
  });

  test("keeps its row when its scans are deleted, but not when the last scan of its target is", async () => {
    const [first, second] = [await scanned([A]), await scanned([], ["GET /a"])];
    await store.scans.remove(account.id, first);
    expect(await statuses()).toEqual({ a: "fixed" });
    await store.scans.remove(account.id, second);
    expect(await listed()).toEqual([]);
  });
});

describe("a decision", () => {
  test("a decision to accept holds while it is seen again, and until it expires", async () => {
    await scanned([A]);
    expect(await decide("accepted")).toBe(1);
    await scanned([A]);
    expect(await onlyFinding()).toMatchObject({
      status: "accepted",
      mark: { status: "accepted", reason: "Known", by: "ann" },
    });
    clock.at = new Date(clock.at.getTime() + 86_400_000);
    expect(await onlyFinding()).toMatchObject({ status: "open", mark: null });
    const history = ["seen  open", "accepted open accepted", "expired accepted open"];
    expect(await historyOf((await onlyFinding()).id)).toEqual(history);
    expect(await store.findings.expire()).toBe(1);
    expect(await historyOf((await onlyFinding()).id)).toEqual(history);
  });

  test("a decision that has expired is over in every read, which writes nothing, and can be made again", async () => {
    await scanned([A]);
    await decide("accepted");
    clock.at = new Date(clock.at.getTime() + 86_400_000);
    const totalOf = async (status: FindingStatus) =>
      (await store.findings.list(account.id, { limit: 10, offset: 0, status: [status] })).total;
    expect([await totalOf("open"), await totalOf("accepted")]).toEqual([1, 0]);
    expect(await store.findings.preview(account.id, {}, "accepted")).toMatchObject({ changing: 1 });
    expect(await store.findings.expire()).toBe(1); // nothing was written before
    await decide("accepted");
    clock.at = after(3 * 86_400);
    expect(await decide("accepted")).toBe(1);
  });

  test("a decision that has expired is over without anybody looking, once the periodic task runs", async () => {
    await scanned([A]);
    await decide("accepted");
    clock.at = new Date(clock.at.getTime() + 86_400_000);
    expect(await store.findings.expire()).toBe(1);
    expect(await store.findings.expire()).toBe(0);
  });

  test("a decision to accept does not hold for a worse severity", async () => {
    await scanned([A]);
    await decide("accepted");
    await scanned([{ ...A, severity: "critical" }]);
    expect(await statuses()).toEqual({ a: "reopened" });
  });

  test("a decision that it is a false positive holds regardless of scans, until it is reinstated", async () => {
    await scanned([A]);
    await decide("markedFalsePositive");
    await scanned([], ["GET /a"]);
    await scanned([{ ...A, severity: "critical" }]);
    expect(await statuses()).toEqual({ a: "falsePositive" });
    await decide("reinstated");
    expect(await onlyFinding()).toMatchObject({ status: "open", mark: null });
  });

  test("a decision that cannot be made changes nothing", async () => {
    await scanned([A]);
    await scanned([], ["GET /a"]);
    expect(await decide("accepted")).toBe(0);
    expect(await decide("reinstated")).toBe(0);
    expect(await statuses()).toEqual({ a: "fixed" });
  });

  test("about several findings is previewed: what matches, what it would change, and the worst of these", async () => {
    await scanned([A, { ...B, severity: "critical" }, { ...A, id: "c" }]);
    await scanned([A, B], ["GET /a"]);
    const preview = await store.findings.preview(account.id, { text: "weakness" }, "accepted");
    expect(preview).toMatchObject({
      matching: 3,
      changing: 2,
      sample: [{ findingId: B.id }, { findingId: A.id }],
    });
    const stranger = await newAccount(store);
    expect(await store.findings.preview(stranger.id, {}, "accepted")).toEqual({
      matching: 0,
      changing: 0,
      sample: [],
    });
    const ids = await store.findings.idsOf(account.id, { text: "weakness" });
    const decision = { event: "accepted", reason: "Known", expiresAt: tomorrow() } as const;
    expect(await store.findings.decide(account.id, ids, { decision, actor: ANN })).toBe(2);
    expect(await store.audit.list(account.id, { action: "finding.", limit: 9 })).toMatchObject([
      {
        ...{ action: "finding.accepted", subject: "3 findings", actor: "ann" },
        ...{ before: { status: { open: 2, fixed: 1 } }, after: { changed: 2, reason: "Known" } },
      },
    ]);
    expect((await store.targets.list(account.id, { limit: 1, offset: 0 })).rows).toMatchObject([
      { open: { critical: 0, high: 0 } },
    ]);
  });

  test("a decision is among the marks of a scan of the target, by the id in its report", async () => {
    const scan = await scanned([A, B]);
    await decide("accepted");
    expect([...(await store.findings.marksOf(account.id, scan))]).toEqual([
      [A.id, { status: "accepted", reason: "Known", expiresAt: tomorrow(), by: "ann" }],
    ]);
    expect(await store.findings.marksOf((await newAccount(store)).id, scan)).toEqual(new Map());
  });
});

test("PostgreSQL moves each status by each event as the contract does", async () => {
  for (const from of FINDING_STATUSES)
    for (const event of FINDING_EVENTS) {
      await sql`truncate targets cascade`;
      await scanned([A]);
      const { id } = await onlyFinding();
      await sql`update findings set status = ${from} where id = ${id}`;
      const decision = { reason: "r", expiresAt: tomorrow(), by: "ann" };
      const isMarking = event === "accepted" || event === "markedFalsePositive";
      const mark =
        from === "accepted" || from === "falsePositive" ? { status: from, ...decision } : undefined;
      const expected = transition(
        { status: from, ...(mark && { mark }) },
        isMarking ? { event, mark: decision } : { event },
      );
      await sql`select move_findings(array[${id}::bigint], ${event}, now(), null, 'r', null, null)`;
      expect([event, (await sql`select status from findings`)[0]?.["status"]]).toEqual([
        event,
        TRANSITIONS[event][from] ?? from,
      ]);
      const entries =
        await sql`select from finding_history where finding = ${id} and from_status is not null`;
      expect([from, event, entries.length]).toEqual([from, event, expected?.isRecorded ? 1 : 0]);
    }
});

describe("the report of a scan", () => {
  test("the report of a scan is recorded with any titles of its findings", async () => {
    await scanned([{ ...A, title: "nul \0, lone \ud800", places: ["GET /\0\udc00"] }]);
    expect(await onlyFinding()).toMatchObject({
      title: "nul \u{FFFD}, lone \u{FFFD}",
      place: "GET /\u{FFFD}\u{FFFD}",
    });
  });

  test("the report of a scan is recorded where its findings cannot be, which are indexed later", async () => {
    await sql`alter table findings add constraint impossible check (title <> 'A weakness') not valid`;
    const id = await scanned([A]);
    expect((await store.scans.get(account.id, id))?.status).toBe("completed");
    expect(await listed()).toEqual([]);
    await sql`alter table findings drop constraint impossible`;
    expect(await store.reportIndex.waiting(10)).toEqual([id]);
    expect(await store.reportIndex.index(id)).toBe(true);
    expect(await statuses()).toEqual({ a: "open" });
    expect(await store.reportIndex.waiting(10)).toEqual([]);
  });

  test("the report of a scan that an older release recorded comes before the scans of its target that follow", async () => {
    const old = await created(store, account);
    await sql`
      select end_scan(${old}, ${after(30)}, 93::smallint, 'A', 1, ${JSON.stringify(sampleReport([A, B]))}, null, null, false)`;
    const next = await scanned([A], ["GET /b", "GET /b2"]);
    expect(await listed()).toEqual([]);
    expect(await store.reportIndex.waiting(10)).toEqual([old, next]);
    for (const id of [old, next]) expect(await store.reportIndex.index(id)).toBe(true);
    expect(await statuses()).toEqual({ a: "open", b: "fixed" });
    await scanned([B]);
    expect(await statuses()).toEqual({ a: "open", b: "reopened" });
  });

  test("the report of a scan that nobody can read waits no longer", async () => {
    const id = await created(store, account);
    await sql`select end_scan(${id}, ${after(30)}, 93::smallint, 'A', 1, ${"[1"}, null, null, false)`;
    expect(await store.reportIndex.index(id)).toBe(false);
    expect(await store.reportIndex.waiting(10)).toEqual([]);
  });

  test("the report of a scan is kept whole when several scans of one target end at the same time", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => created(store, account)));
    const found = (n: number) => [
      { ...B, places: [`GET /${n}`] },
      { ...A, id: `${n}` },
    ];
    await Promise.all(ids.map((id, n) => store.work.record(id, reporting(found(n)))));
    const rows = await listed();
    expect(rows).toHaveLength(9);
    expect(rows.find(({ findingId }) => findingId === B.id)?.places).toBe(8);
    expect(await store.reportIndex.waiting(10)).toEqual([]);
  });

  test("the report of a scan is not there of a scan that failed, which the target notes", async () => {
    await scanned([A]);
    const id = await created(store, account);
    await store.work.record(id, crashed);
    const [target] =
      await sql`select last_scan_id, last_status, score from targets where account_id = ${account.id}`;
    expect(target).toMatchObject({ last_scan_id: id, last_status: "failed", score: 93 });
    expect(await statuses()).toEqual({ a: "open" });
  });
});
