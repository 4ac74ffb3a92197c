import { JOBS, type KubeObject } from "../client/resource.ts";
import { type KubeClient } from "../client/client.ts";
import { createFakeClock, type FakeClock } from "../testing/fake-clock.ts";
import { type FakeCollection } from "../testing/fake-collection.ts";
import { FakeKubeApiserver, refuse } from "../testing/fake-kube-apiserver.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Reflector, type ReflectorOptions } from "./reflector.ts";
import { type ToldChanges, toldChanges } from "../testing/told-changes.ts";

const PATH = "/apis/batch/v1/namespaces/scans/jobs";

let server: FakeKubeApiserver;
let client: KubeClient;
let jobs: FakeCollection;
let clock: FakeClock;
let told: ToldChanges;
let log: string[];
let reflector: Reflector<KubeObject>;

beforeEach(async () => {
  server = await FakeKubeApiserver.start();
  client = server.client();
  jobs = server.collection(PATH);
  clock = createFakeClock();
  told = toldChanges();
  log = [];
});
afterEach(async () => {
  await reflector.stop();
  client.close();
  await server[Symbol.asyncDispose]();
});

const start = async (options: Partial<ReflectorOptions<KubeObject>> = {}): Promise<void> => {
  reflector = new Reflector({
    transport: client.transport,
    resource: JOBS,
    namespace: "scans",
    onChange: told.onChange,
    clock,
    random: () => 0.5,
    observer: {
      listed: (reason, objects) => log.push(`listed ${objects}: ${reason}`),
      watchEnded: (reason) => log.push(`watch ${reason}`),
      failed: (error, retryInMs) => {
        log.push(`failed, again in ${retryInMs}: ${(error as Error).message}`);
        failure.resolve();
      },
      handlerFailed: (error) => log.push(`handler: ${(error as Error).message}`),
    },
    ...options,
  });
  reflector.start();
  await Promise.resolve();
};
let failure = Promise.withResolvers<void>();
beforeEach(() => {
  failure = Promise.withResolvers();
});
const nextFailure = async (): Promise<void> => {
  await failure.promise;
  failure = Promise.withResolvers();
};
const synced = async (): Promise<void> => {
  await start();
  await server.watches.whenOpened(1);
};
const job = (name: string): void => void jobs.create({ metadata: { name } as never });
const watchesSeen = (): URLSearchParams[] =>
  server.requests.filter(({ query }) => query.get("watch") === "true").map(({ query }) => query);

describe("a watch", () => {
  test("asks for bookmarks and for an end within five minutes, from where the list was read", async () => {
    job("a");
    await synced();
    expect(Object.fromEntries(watchesSeen()[0]!)).toEqual({
      watch: "true",
      allowWatchBookmarks: "true",
      resourceVersion: "101",
      timeoutSeconds: "290",
    });
  });

  test("a watch that the server ends is opened again immediately, from the last event or bookmark", async () => {
    await synced();
    job("a");
    await told.until("added a");
    server.collection("/api/v1/namespaces/scans/pods").create({ metadata: { name: "p" } as never });
    server.watches.bookmark();
    server.watches.end();
    await server.watches.whenOpened(2);
    expect(watchesSeen()[1]!.get("resourceVersion")).toBe("102");
    expect(log).toEqual(["listed 0: first", "watch closed"]);
  });

  test("a watch that ends immediately without an event is opened again after a wait", async () => {
    await synced();
    server.watches.end();
    await nextFailure();
    expect(log.at(-1)).toBe("failed, again in 375: The watch ended immediately, without an event");
    await clock.advance(375);
    await server.watches.whenOpened(2);
  });

  test("a watch that has failed leaves open what happened since, until it has stood for a while", async () => {
    await start();
    expect(reflector.isCurrent).toBe(false);
    await server.watches.whenOpened(1);
    expect(reflector.isCurrent).toBe(true);
    server.watches.end();
    await nextFailure();
    expect(reflector.isCurrent).toBe(false);
    await clock.advance(375);
    await server.watches.whenOpened(2);
    expect(reflector.isCurrent).toBe(false);
    await clock.advance(5000);
    expect(reflector.isCurrent).toBe(true);
  });

  test("a watch that has failed and brings an event again leaves nothing open", async () => {
    await synced();
    server.watches.end();
    await nextFailure();
    await clock.advance(375);
    await server.watches.whenOpened(2);
    job("a");
    await told.until("added a");
    expect(reflector.isCurrent).toBe(true);
  });

  test("a watch whose connection is cut misses nothing that happened meanwhile", async () => {
    await synced();
    job("a");
    await told.until("added a");
    server.watches.drop();
    jobs.delete("a");
    job("b");
    await nextFailure();
    await clock.advance(375);
    await told.until("added b");
    expect(told.lines).toEqual(["added a", "deleted a", "added b"]);
    expect(reflector.status).toMatchObject({ lists: 1, failures: 0 });
  });

  test("a watch that is silent for too long is opened again", async () => {
    await start({ staleMs: 60_000 });
    await server.watches.whenOpened(1);
    await clock.advance(59_999);
    expect(server.watches.opened).toBe(1);
    expect(reflector.status.lastEventAgeMs).toBe(59_999);
    await clock.advance(1);
    await server.watches.whenOpened(2);
    expect(log.at(-1)).toBe("watch stale");
  });

  test("cut within a character and within an event goes on where the bytes go on", async () => {
    await synced();
    const line = Buffer.from(
      `${JSON.stringify({ type: "ADDED", object: { metadata: { name: "é", namespace: "scans", uid: "1", resourceVersion: "200" } } })}\n`,
    );
    for (const byte of line) server.watches.raw(Buffer.from([byte]));
    await told.until("added é");
  });
});

describe("a history that was deleted", () => {
  test.each(["status", "event"] as const)(
    "a history that was deleted as told by a %s is made up for by a list, with deletions of what is missing",
    async (gone) => {
      server.watches.gone = gone;
      job("kept");
      job("lost");
      job("replaced");
      await synced();
      server.watches.silent = true;
      jobs.delete("lost");
      jobs.delete("replaced");
      job("replaced");
      job("new");
      server.history.compact();
      server.watches.silent = false;
      server.watches.drop();
      await nextFailure();
      await clock.advance(375);
      await nextFailure();
      await clock.advance(750);
      await told.until("added new");
      expect(told.lines.slice(3).toSorted()).toEqual([
        "added new",
        "added replaced",
        "deleted lost",
        "deleted replaced",
        "resynced kept",
      ]);
      expect(log.at(-1)).toBe("listed 3: lost");
    },
  );

  test("a history that was deleted between two pages is made up for by a list in one piece", async () => {
    ["a", "b", "c"].forEach(job);
    server.fail({
      times: 1,
      matches: ({ query }) => query.has("continue"),
      act: (response) => refuse(response, 410, "Expired"),
    });
    await start({ pageSize: 2 });
    await server.watches.whenOpened(1);
    expect(told.lines).toEqual(["added a", "added b", "added c"]);
    const lists = server.requests.filter(({ query }) => !query.has("watch"));
    expect(lists.map(({ query }) => query.get("limit"))).toEqual(["2", "2", null]);
  });
});

describe("a failure", () => {
  test("a failure of any kind is tried again after waits that grow, until it succeeds", async () => {
    const faults = [500, 403, 429];
    server.fail({
      times: 3,
      matches: () => true,
      act: (response) => refuse(response, faults.shift()!, "Refused", { "retry-after": "2" }),
    });
    await start({ backoff: { baseMs: 1500, maxMs: 4000 } });
    for (const waitMs of [2000, 2250, 3000]) {
      await nextFailure();
      expect(log.at(-1)).toMatch(`failed, again in ${waitMs}:`);
      await clock.advance(waitMs);
    }
    await reflector.whenSynced();
  });

  test("a failure to read the stream leads to a list", async () => {
    await synced();
    server.watches.raw("this is not JSON\n");
    await nextFailure();
    await clock.advance(375);
    await server.watches.whenOpened(2);
    expect(log.filter((line) => line.startsWith("listed"))).toEqual(["listed 0: first", "listed 0: lost"]);
  });

  test("a failure of the watch five times in a row leads to a list", async () => {
    server.fail({
      times: 5,
      matches: ({ query }) => query.has("watch"),
      act: (response) => refuse(response, 504, "Timeout"),
    });
    await start();
    for (let turn = 0; turn < 5; turn += 1) {
      await nextFailure();
      await clock.advance(30_000);
    }
    await server.watches.whenOpened(1);
    expect(reflector.status.lists).toBe(2);
  });

  test("a failure of the handler is reported and stops nothing, thrown or rejected", async () => {
    const faults = [
      () => {
        throw new Error("thrown");
      },
      () => Promise.reject(new Error("rejected")),
    ];
    await start({ onChange: (change) => (told.onChange(change), faults.shift()?.()) });
    await server.watches.whenOpened(1);
    ["a", "b", "c"].forEach(job);
    await told.until("added c");
    expect(log.slice(1)).toEqual(["handler: thrown", "handler: rejected"]);
  });
});

describe("stop", () => {
  test("during a list that hangs ends it, and no watch follows", async () => {
    const asked = Promise.withResolvers<void>();
    server.fail({ times: 1, matches: () => true, act: () => asked.resolve() });
    await start();
    await asked.promise;
    await reflector.stop();
    expect(watchesSeen()).toEqual([]);
    expect(reflector.hasSynced).toBe(false);
  });

  test("during the wait after a failure ends it, and nothing more is asked", async () => {
    server.fail({ times: 1, matches: () => true, act: (response) => refuse(response, 500, "InternalError") });
    await start();
    await nextFailure();
    await reflector.stop();
    expect(server.requests).toHaveLength(1);
  });

  test("during a watch closes its connection", async () => {
    await synced();
    await reflector.stop();
    await server.watches.whenClosed();
    expect(server.watches.opened).toBe(1);
  });
});
