import type { NotedWrite } from "@glovebox/contract";
import { expect, test } from "vitest";
import { WriteNoter } from "./write-noter.ts";

const write = (seq: number): NotedWrite => ({
  seq,
  form: "creation",
  operation: { method: "POST", path: "/notes" },
  caller: "self-1",
  request: { method: "POST", url: "https://api.example/notes", headers: {} },
  cleaned: false,
});

/** Notes three writes to a store that fails so often; returns the batches that it took. */
async function batchesAfter(failures: number): Promise<number[][]> {
  const batches: number[][] = [];
  let left = failures;
  const note = async (_: string, writes: readonly NotedWrite[]): Promise<void> => {
    if (left-- > 0) throw new Error("away");
    batches.push(writes.map(({ seq }) => seq));
  };
  const noter = new WriteNoter("scan", { note }, 0);
  for (const seq of [0, 1, 2]) noter.add(write(seq));
  await noter.close();
  return batches;
}

test("the first write is stored immediately, and those that arrive meanwhile together", async () => {
  expect(await batchesAfter(0)).toEqual([[0], [1, 2]]);
});

test("a store that is away for a moment loses no write and no order", async () => {
  expect((await batchesAfter(3)).flat()).toEqual([0, 1, 2]);
});

test("a store that stays away ends the waiting", async () => {
  expect(await batchesAfter(1_000)).toEqual([]);
});
