import { KubeError } from "../client/error.ts";
import { createFakeClock, type FakeClock } from "../testing/fake-clock.ts";
import { describe, expect, test } from "vitest";
import { type Requeue, WorkQueue } from "./work-queue.ts";

interface Bench {
  readonly queue: WorkQueue;
  readonly clock: FakeClock;
  /** Keys in the order in which work on them began. */
  readonly started: readonly string[];
  readonly log: readonly string[];
  /** Ends the oldest work that is under way. */
  finish(outcome?: Requeue | Error): Promise<void>;
}

function bench(workers = 2): Bench {
  const clock = createFakeClock();
  const started: string[] = [];
  const log: string[] = [];
  const running: PromiseWithResolvers<Requeue | undefined>[] = [];
  const queue = new WorkQueue({
    workers,
    clock,
    random: () => 0.5,
    backoff: { baseMs: 1000, maxMs: 8000 },
    handle(key) {
      started.push(key);
      const work = Promise.withResolvers<Requeue | undefined>();
      running.push(work);
      return work.promise;
    },
    observer: {
      failed: (key, { failures, retryInMs }) => log.push(`${key} failed ${failures}, again in ${retryInMs}`),
    },
  });
  return {
    queue,
    clock,
    started,
    log,
    async finish(outcome) {
      const work = running.shift();
      if (outcome instanceof Error) work?.reject(outcome);
      else work?.resolve(outcome);
      await clock.advance(0);
    },
  };
}

describe("the work queue", () => {
  test("merges a key that waits already", async () => {
    const { queue, started, finish } = bench(1);
    ["busy", "a", "a", "b", "a"].forEach((key) => queue.add(key));
    expect(queue.depth).toBe(2);
    await finish();
    await finish();
    await finish();
    expect(started).toEqual(["busy", "a", "b"]);
  });

  test("works once more on a key that was added while it was worked on, however often", async () => {
    const { queue, started, finish } = bench();
    ["a", "a", "a"].forEach((key) => queue.add(key));
    expect([queue.active, queue.depth]).toEqual([1, 1]);
    await finish();
    await finish();
    expect(started).toEqual(["a", "a"]);
    expect([queue.active, queue.depth]).toEqual([0, 0]);
  });

  test("works on one key at a time for each worker", async () => {
    const { queue, started, finish } = bench(2);
    ["a", "b", "c"].forEach((key) => queue.add(key));
    expect(started).toEqual(["a", "b"]);
    await finish();
    expect(started).toEqual(["a", "b", "c"]);
  });

  test("comes back to a key that fails after waits that grow to a limit, and forgets them on success", async () => {
    const { queue, clock, log, finish } = bench();
    queue.add("a");
    for (const waitMs of [750, 1500, 3000, 6000, 6000]) {
      await finish(new Error("refused"));
      await clock.advance(waitMs);
    }
    await finish();
    queue.add("a");
    await finish(new Error("refused"));
    expect(log).toEqual([
      "a failed 1, again in 750",
      "a failed 2, again in 1500",
      "a failed 3, again in 3000",
      "a failed 4, again in 6000",
      "a failed 5, again in 6000",
      "a failed 1, again in 750",
    ]);
  });

  test("counts a key once that events bring back before its wait is over, and that fails again", async () => {
    const { queue, clock, log, finish } = bench();
    queue.add("a");
    await finish(new Error("refused"));
    for (let event = 1; event <= 3; event++) {
      await clock.advance(100);
      queue.add("a");
      await finish(new Error("refused"));
    }
    await clock.advance(450);
    await finish(new Error("refused"));
    expect(log).toEqual([
      "a failed 1, again in 750",
      "a failed 1, again in 650",
      "a failed 1, again in 550",
      "a failed 1, again in 450",
      "a failed 2, again in 1500",
    ]);
  });

  test("waits as long as the server asked for", async () => {
    const { queue, log, finish } = bench();
    queue.add("a");
    await finish(new KubeError("create jobs", { code: 429, retryAfterMs: 9000 }));
    expect(log).toEqual(["a failed 1, again in 9000"]);
  });

  test("comes back to a key when its work asked for it", async () => {
    const { queue, clock, started, finish } = bench();
    queue.add("a");
    await finish({ afterMs: 5000 });
    await clock.advance(4999);
    expect(started).toEqual(["a"]);
    await clock.advance(1);
    expect(started).toEqual(["a", "a"]);
  });

  test.each([
    [100, 50, 50],
    [50, 100, 50],
  ])(
    "the work queue of a key after %i ms and after %i ms heeds the earlier time",
    async (first, second, due) => {
      const { queue, clock, started, finish } = bench();
      queue.addAfter("a", first);
      queue.addAfter("a", second);
      await clock.advance(due);
      await finish();
      await clock.advance(1000);
      expect(started).toEqual(["a"]);
    },
  );

  test("drains: what waits is worked off, what is added or due later is not, and then it is idle", async () => {
    const { queue, clock, started, finish } = bench(1);
    ["a", "b", "a"].forEach((key) => queue.add(key));
    queue.addAfter("later", 10);
    let idle = false;
    void queue.drain().then(() => (idle = true));
    queue.add("too late");
    queue.addAfter("too late", 0);
    await clock.advance(1000);
    await finish(new Error("refused"));
    await finish({ afterMs: 1 });
    expect(idle).toBe(false);
    await finish();
    expect(idle).toBe(true);
    await clock.advance(60_000);
    expect(started).toEqual(["a", "b", "a"]);
  });

  test("halts: what waits is forgotten, and it is idle when the work under way has ended", async () => {
    const { queue, clock, started, finish } = bench(1);
    ["a", "a", "b"].forEach((key) => queue.add(key));
    let idle = false;
    void queue.halt().then(() => (idle = true));
    await clock.advance(0);
    expect(idle).toBe(false);
    await finish();
    expect([idle, started]).toEqual([true, ["a"]]);
  });

  test("the work queue that has nothing to do is drained immediately", async () => {
    await expect(bench().queue.drain()).resolves.toBeUndefined();
  });
});
