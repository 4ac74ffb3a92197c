import { expect, test } from "vitest";
import { atMost, backoffMs } from "./throttling.ts";

const turnOfLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("a limited number of tasks runs at a time, in the order in which they came, and one that fails also makes room", async () => {
  const limit = atMost(2);
  const begun: number[] = [];
  const ends = [1, 2, 3, 4].map(() => Promise.withResolvers<number>());
  const tasks = ends.map(({ promise }, index) =>
    limit(() => {
      begun.push(index);
      return promise;
    }),
  );
  await turnOfLoop();
  expect(begun).toEqual([0, 1]);
  ends[1]!.reject(new Error("no"));
  await expect(tasks[1]).rejects.toThrow("no");
  await turnOfLoop();
  expect(begun).toEqual([0, 1, 2]);
  ends[0]!.resolve(7);
  expect(await tasks[0]).toBe(7);
  await turnOfLoop();
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const { resolve } of ends) resolve(0);
  await Promise.all([tasks[2], tasks[3]]);
  expect(await limit(async () => "free again")).toBe("free again");
});

const backoff = { baseMs: 1000, maxMs: 10_000 };

test.each([
  [1, 500, 1000],
  [2, 1000, 2000],
  [4, 4000, 8000],
  [5, 5000, 10_000],
  [5000, 5000, 10_000],
])("after failure %i the wait is from %i to %i ms", (failures, least, most) => {
  expect(backoffMs(backoff, failures, () => 0)).toBe(least);
  expect(backoffMs(backoff, failures, () => 1)).toBe(most);
});
