import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PeriodicTask } from "./periodic-task.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a task runs after the first pause, then again after each run, also after one that failed", async () => {
  const failures: unknown[] = [];
  let runs = 0;
  const task = new PeriodicTask({
    task: async () => {
      if (++runs === 1) throw new Error("away");
    },
    onFailure: (error) => failures.push(error),
    ...{ firstMs: 100, everyMs: 1_000 },
  });
  task.start();
  await vi.advanceTimersByTimeAsync(99);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect([runs, failures.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([runs, failures.length]).toEqual([3, 1]);
  await task.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs).toBe(3);
});

test("two runs at a time are one, and stopping waits for it", async () => {
  const release = Promise.withResolvers<void>();
  let runs = 0;
  let isStopped = false;
  const task = new PeriodicTask({
    task: () => (runs++, release.promise),
    onFailure: () => undefined,
    ...{ firstMs: 0, everyMs: 10 },
  });
  const both = Promise.all([task.run(), task.run()]);
  const stopped = task.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(50);
  expect([runs, isStopped]).toEqual([1, false]);
  release.resolve();
  await Promise.all([both, stopped]);
  expect([runs, isStopped]).toEqual([1, true]);
});
