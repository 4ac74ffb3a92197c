import { newScanId } from "@glovebox/contract";
import { openStore, StoreUnavailable, type Store } from "@glovebox/store";
import { plainSql } from "@glovebox/store/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { createFindingsUpkeep, type FindingsUpkeepDeps } from "./findings-upkeep.ts";

let database: TestDatabase;
let store: Store;
let said: string[];
beforeEach(async () => {
  said = [];
  database = await testDatabase();
  store = await openStore({ url: database.url });
});
afterEach(async () => {
  await store.close();
  await database.drop();
});

const logger = {
  info: (...entry: unknown[]) => void said.push(String(entry.at(-1))),
  warn: (...entry: unknown[]) => void said.push(String(entry.at(-1))),
};
const upkeepOver = (over: Partial<FindingsUpkeepDeps> = {}) =>
  createFindingsUpkeep({ store, logger, pauseMs: 0, ...over });

/** A report as a release without findings over time recorded it. */
async function recordedBefore(account: string, body: string): Promise<void> {
  const sql = plainSql(database.url);
  const id = newScanId(new Date());
  await sql`select submit_scan(${id}, ${account}, 'https://api.example/', null, null, null, null, null, null)`;
  await sql`select end_scan(${id}, null, 90::smallint, 'A', 1, ${body}, null, null, false)`;
  await sql.end();
}
const FINDING = {
  ...{
    id: "f1",
    severity: "high",
    confidence: "firm",
    category: "ssrf",
    check: "ssrf/sample",
    title: "A weakness",
  },
  ...{ location: { method: "GET", path: "/" }, description: "d", evidence: {} },
};
const REPORT = JSON.stringify({
  findings: [FINDING],
  checks: [],
  coverage: { categories: 1, operations: 1 },
});

test("a run indexes the reports of releases before, and opens what is no longer accepted", async () => {
  const { id: account } = await store.accounts.declare({ name: "shop", plan: "enterprise" });
  await recordedBefore(account, REPORT);
  await recordedBefore(account, "[1");
  const upkeep = upkeepOver();
  await upkeep.run();
  expect(said).toEqual(["report could not be indexed", "reports indexed"]);
  const [finding] = (await store.findings.list(account, { limit: 1, offset: 0 })).rows;
  expect(finding).toMatchObject({ title: "A weakness", status: "open" });
  const decision = { event: "accepted", reason: "Known", expiresAt: "2026-01-01T00:00:00Z" } as const;
  const actor = { userId: null, keyId: null, name: "ann", ip: null, requestId: "r" };
  await store.findings.decide(account, [finding!.id], { decision, actor });
  await upkeep.run();
  expect(said.at(-1)).toBe("acceptances expired");
  await upkeep.run();
  expect(said).toHaveLength(3);
});

test("a run that an outage breaks off is logged, and a stop is not", async () => {
  const away = { expire: () => Promise.reject(new StoreUnavailable(new Error("away"))) };
  const upkeep = upkeepOver({
    store: { findings: away, reportIndex: store.reportIndex, withLock: store.withLock },
  });
  await upkeep.run();
  expect(said).toEqual(["findings upkeep failed, the next run retries"]);
  await upkeep.stop();
  await upkeep.run();
  expect(said).toHaveLength(1);
});
