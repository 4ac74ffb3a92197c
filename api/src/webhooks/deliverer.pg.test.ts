import type { ServerResponse } from "node:http";
import { WEBHOOK_EVENTS, newScanId, scanFailure, type Plan } from "@glovebox/contract";
import { delivered } from "@glovebox/scan-run";
import { createEgressPolicy } from "@glovebox/egress";
import { COMMAND_LINE, type Account, type Store } from "@glovebox/store";
import { openStoreAt } from "@glovebox/store/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "../testing/database.ts";
import { newAccount } from "../testing/harness.ts";
import { startReceiver, type Received, type Receiver } from "../testing/receiver.ts";
import { until } from "../testing/until.ts";
import { MAX_ATTEMPTS } from "./backoff.ts";
import { createDeliverer, type Deliverer } from "./deliverer.ts";
import { inThisThread } from "../testing/report-runner.ts";

const HOUR = 3_600_000;
let at: Date;
let database: TestDatabase;
let store: Store;
let account: Account;
const cleanups: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  at = new Date();
  database = await testDatabase();
  store = await openStoreAt({ url: database.url, maxConnections: 4 }, () => at);
});
beforeEach(async () => {
  at = new Date(Math.floor(Date.now() / 1000) * 1000);
  ({ account } = await newAccount(store));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

type Responder = (res: ServerResponse, received: Received) => void;

async function receiverThat(responder?: Responder): Promise<Receiver> {
  const receiver = await startReceiver(responder);
  cleanups.push(() => receiver.close());
  return receiver;
}

const policy = createEgressPolicy({ allow: [{ kind: "range", cidr: "127.0.0.0/8" }] });
const logger = { warn: () => undefined };

function delivererFor(
  { ca }: Receiver,
  over: Partial<Parameters<typeof createDeliverer>[0]> = {},
): Deliverer {
  const deliverer = createDeliverer({
    ...{ store, logger, random: () => 0, now: () => at, ca },
    egress: { policy, lookup: async () => [] },
    reports: inThisThread,
    ...over,
  });
  cleanups.push(() => deliverer.stop());
  return deliverer;
}

async function hookOf({ url }: Receiver, of = account): Promise<{ id: string; secret: string }> {
  const hook = await store.webhooks.create(of.id, {
    url,
    events: [...WEBHOOK_EVENTS],
    description: null,
  });
  cleanups.push(() => store.webhooks.remove(of.id, hook!.id));
  return hook!;
}

async function scanFails(of = account): Promise<string> {
  const id = newScanId(at);
  await store.scans.submit({ actor: COMMAND_LINE, id, account: of, url: "https://api.example/" });
  await store.work.record(id, delivered({ status: "failed", failure: scanFailure("connection_refused") }));
  return id;
}

const logOf = (hook: { id: string }) => store.webhooks.deliveries(account.id, hook.id, 50);

/** Starts what is due and waits for its end. */
async function deliver(deliverer: Deliverer): Promise<void> {
  await deliverer.run();
  await deliverer.idle();
}

test("the event of a scan arrives signed, and the receiver verifies it with its secret", async () => {
  const receiver = await receiverThat();
  const hook = await hookOf(receiver);
  const scan = await scanFails();
  await deliver(delivererFor(receiver));

  const [message] = receiver.received;
  expect(new Webhook(hook.secret).verify(message!.body, message!.headers)).toMatchObject({
    ...{ type: "scan.failed", data: { id: scan, error: { code: "connection_refused" } } },
  });
  expect(message!.headers["webhook-id"]).toBe(`${scan}-failed`);
  expect(await logOf(hook)).toMatchObject([{ status: "delivered", attempts: 1, lastStatus: 204 }]);
});

test("while a secret is rotated, the old one and the new one both verify", async () => {
  const receiver = await receiverThat();
  const hook = await hookOf(receiver);
  const rotated = await store.webhooks.rotateSecret(account.id, hook.id);
  await store.webhooks.test(account.id, hook.id);
  await deliver(delivererFor(receiver));
  const { body, headers } = receiver.received[0]!;
  for (const secret of [hook.secret, rotated!.secret])
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: "webhook.test" });
  const stranger = new Webhook(`whsec_${Buffer.alloc(32).toString("base64")}`);
  expect(() => stranger.verify(body, headers)).toThrow("No matching signature");
});

test("a receiver that returns 503 gets the same event until it takes it, and a new signature each time", async () => {
  let responses = 0;
  const receiver = await receiverThat((res) => res.writeHead(++responses < 3 ? 503 : 200).end());
  const hook = await hookOf(receiver);
  await scanFails();
  const deliverer = delivererFor(receiver);
  await deliver(deliverer);
  expect(await logOf(hook)).toMatchObject([
    { status: "pending", attempts: 1, lastError: "The receiver responded with 503." },
  ]);
  await deliver(deliverer); // not due yet
  expect(receiver.received).toHaveLength(1);
  for (const seconds of [5, 30]) {
    at = new Date(at.getTime() + seconds * 1000);
    await deliver(deliverer);
  }
  expect(await logOf(hook)).toMatchObject([{ status: "delivered", attempts: 3, lastStatus: 200 }]);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-signature"])).size).toBe(3);
});

test("an event is given up after ten attempts within 24 hours", async () => {
  const receiver = await receiverThat((res) => res.writeHead(500).end());
  const hook = await hookOf(receiver);
  const start = at.getTime();
  await scanFails();
  const deliverer = delivererFor(receiver);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await deliver(deliverer);
    at = (await logOf(hook))[0]!.nextAttemptAt;
  }
  expect(await logOf(hook)).toMatchObject([{ status: "failed", attempts: MAX_ATTEMPTS, endedAt: at }]);
  expect(at.getTime() - start).toBeLessThan(24 * HOUR);
  at = new Date(at.getTime() + 48 * HOUR);
  await deliver(deliverer);
  expect(receiver.received).toHaveLength(MAX_ATTEMPTS);
});

test("a receiver that returns 410 is not called again", async () => {
  const receiver = await receiverThat((res) => res.writeHead(410).end());
  const hook = await hookOf(receiver);
  await scanFails();
  await deliver(delivererFor(receiver));
  expect(await logOf(hook)).toMatchObject([{ status: "failed", lastStatus: 410 }]);
  expect(await store.webhooks.get(account.id, hook.id)).toMatchObject({
    disabledReason: "The receiver responded with 410 Gone.",
  });
});

test("a slow receiver of one account delays no other account, and not the other webhooks of the account", async () => {
  const held: ServerResponse[] = [];
  const slow = await receiverThat((res) => void held.push(res));
  const quick = await receiverThat();
  const other = (await newAccount(store)).account;
  await hookOf(slow);
  await hookOf(quick);
  await hookOf(quick, other);
  for (let scan = 0; scan < 6; scan++) await scanFails();
  await scanFails(other);
  const deliverer = delivererFor(slow);
  await deliverer.run();
  await until(() => quick.received.length === 7);
  await until(() => held.length === 2);
  expect(slow.received).toHaveLength(2); // its limit
  for (let scan = 0; scan < 6; scan++) {
    await until(() => held.length > 0);
    held.pop()!.writeHead(200).end();
  }
  await deliverer.idle();
  expect(slow.received).toHaveLength(6);
});

test("an address that has become private since the webhook was created is not called", async () => {
  const receiver = await receiverThat();
  const hook = await hookOf(receiver);
  await store.webhooks.test(account.id, hook.id);
  const egress = { policy: createEgressPolicy(), lookup: async () => [] };
  await deliver(delivererFor(receiver, { egress }));
  expect(receiver.connections()).toBe(0);
  expect(await logOf(hook)).toMatchObject([
    { lastStatus: null, lastError: expect.stringContaining("refused") },
  ]);
});

test("the events of an account whose plan no longer includes webhooks are not sent", async () => {
  const receiver = await receiverThat();
  const hook = await hookOf(receiver);
  await scanFails();
  await store.accounts.declare({ name: account.name, plan: "free" satisfies Plan });
  await deliver(delivererFor(receiver));
  expect(receiver.connections()).toBe(0);
  expect(await logOf(hook)).toMatchObject([
    { status: "failed", lastError: "The plan does not include webhooks." },
  ]);
});

test("two processes deliver each event once, woken by the end of the scan", async () => {
  const receiver = await receiverThat();
  await hookOf(receiver);
  const processes = [delivererFor(receiver), delivererFor(receiver)];
  for (const each of processes) await each.start();
  const scans = await Promise.all(Array.from({ length: 10 }, () => scanFails()));
  await until(() => receiver.received.length >= 10);
  for (const each of processes) await each.idle();
  const ids = receiver.received.map(({ headers }) => String(headers["webhook-id"]));
  expect(ids.toSorted()).toEqual(scans.map((id) => `${id}-failed`).toSorted());
});

test("a process that stops lets the attempt under way end, and records it", async () => {
  const held = Promise.withResolvers<ServerResponse>();
  const receiver = await receiverThat((res) => held.resolve(res));
  const hook = await hookOf(receiver);
  await store.webhooks.test(account.id, hook.id);
  const deliverer = delivererFor(receiver);
  await deliverer.run();
  const response = await held.promise;
  const stopped = deliverer.stop();
  response.writeHead(200).end();
  await stopped;
  expect(await logOf(hook)).toMatchObject([{ status: "delivered" }]);
});
