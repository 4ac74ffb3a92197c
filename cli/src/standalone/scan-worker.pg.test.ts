import { newScanId, type ScanFailureCode } from "@glovebox/contract";
import { createEgressPolicy } from "@glovebox/egress";
import {
  COMMAND_LINE,
  openStore,
  type Account,
  type ScanRow,
  type Store,
  type StoreEvent,
} from "@glovebox/store";
import { newIdentityKey, parseIdentityKeys } from "@glovebox/store/identity-keys";
import { overriding, freshDatabase, openStoreAt } from "@glovebox/store/testing";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { DELIVER, PROGRESS, fakeScanner, type FakeScanner } from "../scanner/testing/fake-scanner.ts";
import { createScanWorker, launcherFor, type WorkerTiming } from "./scan-worker.ts";
import type { Worker } from "./worker.ts";

declare module "vitest" {
  export interface ProvidedContext {
    databaseUrl: string; // of test/support/postgres.ts
  }
}

const HANG = `${PROGRESS} setInterval(() => {}, 1000);`;
const CRASH = `console.error("crashed here"); process.exit(1);`;

let database: Awaited<ReturnType<typeof freshDatabase>>;
let store: Store;
let account: Account;
const started: (Pick<Worker, "stop"> | FakeScanner)[] = [];

beforeAll(async () => {
  database = await freshDatabase(inject("databaseUrl"));
  store = await openStore({ url: database.url, identityKeys: parseIdentityKeys(newIdentityKey()) });
  account = await store.accounts.declare({ name: "tests", plan: "enterprise" });
});
afterEach(async () => {
  for (const one of started.splice(0).toReversed()) {
    if ("stop" in one) await one.stop();
    else one[Symbol.dispose]();
  }
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

interface WorkerUnderTest {
  readonly worker: Worker;
  readonly logged: unknown[];
}

interface Changes {
  readonly timing?: Partial<WorkerTiming>;
  readonly store?: Store;
}

async function work(body: string, changes: Changes = {}): Promise<WorkerUnderTest> {
  const fake = fakeScanner(body);
  started.push(fake);
  const logged: unknown[] = [];
  const worker = createScanWorker({
    store: changes.store ?? store,
    order: { policy: createEgressPolicy(), lookup: resolve, allow: [], extraCa: undefined, demo: undefined },
    logger: { warn: (...entry: unknown[]) => void logged.push(entry) },
    maxConcurrent: 1,
    program: fake.program,
    timing: { renewEveryMs: 50, retryDelayMs: 1, graceMs: 0, ...changes.timing },
  });
  started.push(worker);
  await worker.start();
  return { worker, logged };
}

const resolve = (host: string): Promise<string[]> =>
  host === "api.example.com" ? Promise.resolve(["8.8.8.8"]) : Promise.reject(new Error("unknown"));

async function submit(url = "https://api.example.com/"): Promise<string> {
  const id = newScanId(new Date());
  await store.scans.submit({ actor: COMMAND_LINE, id, account, url });
  return id;
}

/** The store as it is used at that moment. */
async function storeAt(moment: Date): Promise<Store> {
  const at = await openStoreAt({ url: database.url }, () => moment);
  started.push({ stop: () => at.close() });
  return at;
}

const rowOf = async (id: string): Promise<ScanRow> => (await store.scans.get(account.id, id))!;

/** Resolves at the first event of the scan of this type, from now on or, if it has ended, immediately. */
async function eventOf(id: string, type: StoreEvent["type"]): Promise<void> {
  let stop = async () => {};
  await new Promise<void>((happened, failed) => {
    const listening = store.events.listen((event) => {
      if (event.type === type && "id" in event && event.id === id) happened();
    });
    stop = async () => (await listening)();
    listening
      .then(() => rowOf(id))
      .then((row) => {
        if (row.status !== "processing" || (type === "scanProgress" && row.progress.planned > 0)) happened();
      })
      .catch(failed);
  });
  await stop();
}

async function failureOf(id: string): Promise<ScanFailureCode | undefined> {
  await eventOf(id, "scanEnded");
  return (await rowOf(id)).failure?.code;
}

describe("the worker of one machine", () => {
  test("a scan submitted before its start is run and recorded", async () => {
    const id = await submit();
    await work(DELIVER);
    expect(await failureOf(id)).toBe("connection_refused");
  });

  test("a scan submitted later is run as soon as it is announced", async () => {
    await work(DELIVER, { timing: { renewEveryMs: 60_000 } });
    expect(await failureOf(await submit())).toBe("connection_refused");
  });

  test("the progress of a scan can be read while it runs", async () => {
    const id = await submit();
    await work(HANG);
    await eventOf(id, "scanProgress");
    expect(await rowOf(id)).toMatchObject({ status: "processing", progress: { done: 1, planned: 4 } });
    await store.scans.remove(account.id, id);
  });

  test.each([
    ["https://127.0.0.1/", "egress_refused"],
    ["https://unknown.example.com/", "name_not_resolved"],
  ])("a scan of %s fails as %s, and no scanner is started", async (url, code) => {
    const { logged } = await work(CRASH);
    expect(await failureOf(await submit(url))).toBe(code);
    expect(logged).toEqual([]);
  });

  test("a scanner that crashes is tried three times, and the scan has failed then", async () => {
    const { logged } = await work(CRASH);
    expect(await failureOf(await submit())).toBe("scanner_crashed");
    expect(logged).toHaveLength(3);
  });

  test("a scanner that its target crashes is tried three times, and the scan is charged then", async () => {
    const usage = async () => (await store.usage.ofMonth(account.id)).started;
    const before = await usage();
    const { logged } = await work(`console.error("out of memory"); process.abort();`);
    expect(await failureOf(await submit())).toBe("target_crashed_scanner");
    expect(logged).toHaveLength(3);
    expect(await usage()).toBe(before + 1);
  });

  test("each attempt gets the identities on stdin only, and they are deleted when the scan has ended", async () => {
    const SECRET = "s3cret-of-alice";
    const id = newScanId(new Date());
    const identities = [{ name: "alice", role: "user" as const, headers: { Authorization: SECRET } }];
    const url = "https://api.example.com/";
    await store.scans.submit({ actor: COMMAND_LINE, id, account, url, identities });
    const { logged } = await work(`
      let order = "";
      for await (const chunk of process.stdin) order += chunk;
      const { Authorization } = JSON.parse(order).identities[0].headers;
      const seen = [process.argv, process.execArgv, process.env].map((each) => JSON.stringify(each)).join();
      console.error(Authorization.length, seen.includes(Authorization));
      process.exit(1);`);
    expect(await failureOf(id)).toBe("scanner_crashed");
    expect(logged).toHaveLength(3);
    for (const line of logged) {
      expect(JSON.stringify(line)).toContain(`${SECRET.length} false`);
      expect(JSON.stringify(line)).not.toContain(SECRET);
    }
    expect(await store.identities.ofScan(id)).toBeUndefined();
  });

  test("a scan whose identities cannot be decrypted fails, and is refunded", async () => {
    const usage = async () => (await store.usage.ofMonth(account.id)).started;
    const before = await usage();
    const id = newScanId(new Date());
    const identities = [{ name: "alice", role: "user" as const, query: { key: "s3cret" } }];
    await store.scans.submit({
      actor: COMMAND_LINE,
      id,
      account,
      url: "https://api.example.com/",
      identities,
    });
    const withOtherKey = await openStore({
      url: database.url,
      identityKeys: parseIdentityKeys(newIdentityKey()),
    });
    started.push({ stop: () => withOtherKey.close() });
    const { logged } = await work(CRASH, { store: withOtherKey });
    expect(await failureOf(id)).toBe("could_not_start");
    expect(logged).toEqual([]);
    expect(await usage()).toBe(before);
  });

  test("a fault of the database is logged by its kind, without its message or detail", async () => {
    const fault = Object.assign(new TypeError("secret message"), { code: "XX000", detail: "secret row" });
    const claim = () => Promise.reject(fault);
    const { logged } = await work(DELIVER, { store: { ...store, work: overriding(store.work, { claim }) } });
    await vi.waitUntil(() => logged.length > 0);
    expect(logged[0]).toEqual([
      { error: "TypeError", code: "XX000", at: expect.stringContaining(".ts:"), cause: undefined },
      "could not claim a scan",
    ]);
  });

  test("a cancelled scan makes room for the next one immediately", async () => {
    const { worker } = await work(`for await (const order of process.stdin)
      if (String(order).includes("/hang")) { ${HANG} } else { ${DELIVER} }`);
    const hanging = await submit("https://api.example.com/hang");
    await eventOf(hanging, "scanProgress");
    const next = await submit();
    await store.scans.remove(account.id, hanging);
    await launcherFor(worker).cancel(hanging);
    expect(await failureOf(next)).toBe("connection_refused");
    expect((await rowOf(hanging)).failure?.code).toBe("cancelled");
  });

  test("a worker that stops gives its scan back, and the next worker runs it immediately", async () => {
    const id = await submit();
    const { worker } = await work(HANG, { timing: { leaseSeconds: 3600 } });
    await eventOf(id, "scanProgress");
    await worker.stop();
    expect((await rowOf(id)).status).toBe("processing");
    await work(DELIVER);
    expect(await failureOf(id)).toBe("connection_refused");
  });

  test.each([
    [1, "connection_refused"],
    [3, "service_restarted"],
  ])("a scan whose service died %i times ends as %s", async (deaths, code) => {
    const id = await submit();
    const longAgo = Date.now() - 3_600_000;
    for (let death = 0; death < deaths; death++) {
      const then = await storeAt(new Date(longAgo + death * 60_000));
      expect((await then.work.claim(`dead-${death}`, 15))?.id).toBe(id);
    }
    await work(DELIVER);
    expect(await failureOf(id)).toBe(code);
  });

  test("a scan that runs is not taken by another worker after its first lease: the lease is renewed", async () => {
    const id = await submit();
    const renewed = Promise.withResolvers<Date>();
    const renew: Store["work"]["renew"] = async (worker, ids, leaseSeconds) => {
      const begun = new Date();
      const held = await store.work.renew(worker, ids, leaseSeconds);
      if (held.includes(id)) renewed.resolve(begun);
      return held;
    };
    await work(HANG, { store: { ...store, work: overriding(store.work, { renew }) } });
    const firstLeaseOver = (await renewed.promise).getTime() + 15_000 - 1;
    const later = await storeAt(new Date(firstLeaseOver));
    expect(await later.work.claim("another", 15)).toBeUndefined();
    await store.scans.remove(account.id, id);
  });
});
