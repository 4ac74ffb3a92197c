import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newScanId } from "@glovebox/contract";
import {
  COMMAND_LINE,
  type Account,
  type Store,
  type StoreEvent,
  StoreUnavailable,
  migrate,
  openStore,
} from "@glovebox/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runningPostmaster } from "./predecessor.ts";
import { type RunningPostgres, startPostgres } from "./start.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const POLL = { timeout: 30_000, interval: 100 };
let dataDir: string;
let postgres: RunningPostgres;
let store: Store;
let account: Account;
let warnings: string[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "glovebox-outage-"));
  chmodSync(dataDir, 0o711);
  warnings = [];
  postgres = await startPostgres({ dataDir, fsync: false, warn: (line) => warnings.push(line) });
  await migrate(postgres.url);
  store = await openStore({ url: postgres.url, connectTimeoutSeconds: 1, statementTimeoutSeconds: 1 });
  account = await store.accounts.declare({ name: "outage", plan: "enterprise" });
});
afterEach(async () => {
  await store.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

test("while PostgreSQL is stopped every method rejects as unavailable, and afterwards all work again", async () => {
  await submit();
  await postgres.stop();
  for (const method of everyMethod()) {
    const error = await method().then(
      () => "responded",
      (thrown: unknown) => thrown,
    );
    expect(error, method.toString()).toBeInstanceOf(StoreUnavailable);
    expect((error as Error).cause).toBeDefined();
  }

  postgres = await startPostgres({ dataDir, fsync: false });
  await expect.poll(isUp, POLL).toBe(true);
  await submit();
  expect(await store.scans.list(account.id, { limit: 10, offset: 0 })).toMatchObject({ total: 2 });
});

test("a listener hears `reconnected` after an outage, and then events again", async () => {
  const heard: StoreEvent[] = [];
  await store.events.listen((event) => heard.push(event));
  await postgres.stop();
  await expect(store.events.listen(() => {})).rejects.toBeInstanceOf(StoreUnavailable);
  postgres = await startPostgres({ dataDir, fsync: false });
  await expect.poll(() => heard, POLL).toContainEqual({ type: "reconnected" });

  await expect.poll(isUp, POLL).toBe(true);
  const { id } = await submit();
  await expect.poll(() => heard, POLL).toContainEqual({ type: "scanSubmitted", id });
});

test("statements cut off by a kill under load reject or succeed, and the pool recovers", async () => {
  const burst = Promise.allSettled(Array.from({ length: 200 }, submit));
  process.kill(runningPostmaster(join(dataDir, "postgres", "data"))!, "SIGKILL");
  for (const result of await burst)
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StoreUnavailable);

  await expect.poll(isUp, POLL).toBe(true);
  for (let round = 0; round < 3; round++)
    await Promise.all(Array.from({ length: 20 }, () => store.accounts.find("outage")));
  expect(warnings).toEqual(["PostgreSQL exited unexpectedly, restarting"]);
});

test("the crash of one of its processes is told in one line, and the pool recovers", async () => {
  const postmaster = runningPostmaster(join(dataDir, "postgres", "data"))!;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim().split(" ");
  process.kill(Number(children.at(-1)), "SIGKILL");
  await expect.poll(() => warnings, POLL).toEqual(["PostgreSQL process crashed, PostgreSQL restarts"]);
  await expect.poll(isUp, POLL).toBe(true);
});

test("a submission to a PostgreSQL that hangs is refused within the time limits, and does not run later", async () => {
  const postmaster = runningPostmaster(join(dataDir, "postgres", "data"))!;
  await store.close(); // a new pool must connect
  store = await openStore({ url: postgres.url, connectTimeoutSeconds: 1, statementTimeoutSeconds: 1 });
  process.kill(postmaster, "SIGSTOP");
  try {
    await expect(submit()).rejects.toBeInstanceOf(StoreUnavailable);
  } finally {
    process.kill(postmaster, "SIGCONT");
  }

  await expect.poll(isUp, POLL).toBe(true);
  expect(await store.scans.list(account.id, { limit: 10, offset: 0 })).toEqual({ scans: [], total: 0 });
});

const isUp = () =>
  store.accounts.find("outage").then(
    () => true,
    () => false,
  );

async function submit(): Promise<{ id: string }> {
  const id = newScanId(NOW);
  await store.scans.submit({ actor: COMMAND_LINE, id, account, url: "https://api.example/" });
  return { id };
}

function everyMethod(): (() => Promise<unknown>)[] {
  const { accounts, keys, scans, work, events } = store;
  const frame = { frame: "progress", category: "ssrf", done: 1, planned: 2 } as const;
  const failure = { code: "scanner_crashed", message: "It crashed." } as const;
  return [
    () => store.schemaState(),
    () => accounts.declare({ name: "x", plan: "free" }),
    () => accounts.find("x"),
    () => keys.add({ accountId: account.id, name: "x", sha256: "0".repeat(64) }),
    () => keys.findByHash("0".repeat(64)),
    () => keys.list(account.id),
    () => keys.revoke(account.id),
    () => keys.touch(new Map([[account.id, NOW]])),
    () => submit(),
    () => scans.get(account.id, "scan-x"),
    () => scans.list(account.id, { limit: 1, offset: 0 }),
    () => scans.remove(account.id, "scan-x"),
    () => work.claim("w", 1),
    () => work.renew("w", ["scan-x"], 1),
    () => work.release("w", ["scan-x"]),
    () => work.progress("scan-x", frame, { done: 1, planned: 2 }),
    () => work.record("scan-x", { status: "failed", failure }),
    () => events.listen(() => {}),
  ];
}
