import { createFakeClock } from "../testing/fake-clock.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Requeue, WorkQueue } from "./work-queue.ts";

const key = fc.constantFrom("a", "b", "c", "d");
const command = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("add" as const), key }) },
  fc.record({ do: fc.constant("addAfter" as const), key, ms: fc.nat(2000) }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("finish" as const), pick: fc.nat(3), fails: fc.boolean() }),
  },
  fc.record({ do: fc.constant("advance" as const), ms: fc.nat(3000) }),
);

/** A work queue with all that has happened to it: additions and starts in the order in which they happened. */
class Watched {
  readonly clock = createFakeClock();
  readonly running = new Map<string, PromiseWithResolvers<Requeue | undefined>>();
  readonly addedAt = new Map<string, number>();
  readonly startedAt = new Map<string, number>();
  /** Keys that got a second worker; an error thrown here would be taken for failed work. */
  readonly overlaps: string[] = [];
  added = 0;
  starts = 0;
  failures = 0;
  mostAtATime = 0;
  #moment = 0;
  readonly queue: WorkQueue;

  constructor(workers: number) {
    this.queue = new WorkQueue({
      workers,
      clock: this.clock,
      random: () => 0.5,
      backoff: { baseMs: 100, maxMs: 1000 },
      handle: (key) => this.#handle(key),
    });
  }

  add(key: string, afterMs?: number): void {
    this.added += 1;
    this.addedAt.set(key, ++this.#moment);
    if (afterMs === undefined) this.queue.add(key);
    else this.queue.addAfter(key, afterMs);
  }

  async finish(pick: number, fails: boolean): Promise<void> {
    const [key, work] = [...this.running][pick % Math.max(1, this.running.size)] ?? [];
    if (key === undefined || work === undefined) return;
    this.running.delete(key);
    if (fails) this.failures += 1;
    if (fails) work.reject(new Error("refused"));
    else work.resolve(undefined);
    await this.clock.advance(0);
  }

  /** Lets everything succeed until nothing is left. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 2; quiet += 1) {
      await this.clock.advance(5000);
      while (this.running.size > 0) {
        quiet = 0;
        await this.finish(0, false);
      }
    }
  }

  #handle(key: string): Promise<Requeue | undefined> {
    if (this.running.has(key)) this.overlaps.push(key);
    const work = Promise.withResolvers<Requeue | undefined>();
    this.running.set(key, work);
    this.startedAt.set(key, ++this.#moment);
    this.starts += 1;
    this.mostAtATime = Math.max(this.mostAtATime, this.running.size);
    return work.promise;
  }
}

describe("with anything added, finished and failed in any order", () => {
  test("no key has two workers, no more work than workers is under way, and no addition is lost or worked off twice", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { maxLength: 60 }),
        fc.integer({ min: 1, max: 3 }),
        async (commands, workers) => {
          const watched = new Watched(workers);
          for (const command of commands) {
            if (command.do === "add") watched.add(command.key);
            else if (command.do === "addAfter") watched.add(command.key, command.ms);
            else if (command.do === "finish") await watched.finish(command.pick, command.fails);
            else await watched.clock.advance(command.ms);
          }
          await watched.settle();
          expect(watched.overlaps).toEqual([]);
          expect(watched.mostAtATime).toBeLessThanOrEqual(workers);
          for (const [key, moment] of watched.addedAt)
            expect(watched.startedAt.get(key)).toBeGreaterThan(moment);
          expect(watched.starts).toBeLessThanOrEqual(watched.added + watched.failures);
          expect([watched.queue.active, watched.queue.depth]).toEqual([0, 0]);
        },
      ),
      { numRuns: 200 },
    );
  });
});
