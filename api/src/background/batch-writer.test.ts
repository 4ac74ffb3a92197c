import { expect, test } from "vitest";
import { BatchWriter } from "./batch-writer.ts";

test("a batch holds the latest value of each key, and one that could not be written is in the next one", async () => {
  const written: (readonly [string, number])[][] = [];
  let isAway = true;
  let failures = 0;
  const writer = new BatchWriter<number>({
    write: async (batch) => {
      if (isAway) throw new Error("away");
      written.push([...batch]);
    },
    onFailure: () => failures++,
    everyMs: 3_600_000,
  });
  writer.add("a", 1);
  writer.add("a", 2);
  await writer.flush();
  expect([failures, written]).toEqual([1, []]);
  isAway = false;
  writer.add("b", 3);
  await writer.close();
  await writer.flush();
  expect(written).toEqual([
    [
      ["a", 2],
      ["b", 3],
    ],
  ]);
});
