import { expect, test } from "vitest";
import { GroupedReads } from "./grouped-reads.ts";

/** Statements, which end when they are told to. */
function stage() {
  const statements: { ids: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const reads = new GroupedReads<string>((ids) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>();
    const found = ids.filter((id) => id !== "unknown").map((id) => [id, `row of ${id}`] as const);
    statements.push({ ids, end: () => resolve(new Map(found)), fail: reject });
    return promise;
  });
  return { reads, statements };
}
const turn = () => new Promise(setImmediate);

test("rows that are asked for while a statement is under way are read together by the next one", async () => {
  const { reads, statements } = stage();
  const first = reads.get("a");
  await turn();
  const rest = ["a", "b", "b", "unknown"].map((id) => reads.get(id));
  await turn();
  expect(statements.map(({ ids }) => ids)).toEqual([["a"]]);
  statements[0]!.end();
  expect(await first).toBe("row of a");
  await turn();
  expect(statements[1]!.ids).toEqual(["a", "b", "unknown"]);
  statements[1]!.end();
  expect(await Promise.all(rest)).toEqual(["row of a", "row of b", "row of b", undefined]);
  expect(statements).toHaveLength(2);
});

test("a statement that fails fails for those that asked before it, and not for those after", async () => {
  const { reads, statements } = stage();
  const failing = [reads.get("a"), reads.get("b")].map((read) => read.catch((error: Error) => error.message));
  await turn();
  const next = reads.get("a");
  statements[0]!.fail(new Error("unavailable"));
  expect(await Promise.all(failing)).toEqual(["unavailable", "unavailable"]);
  await turn();
  statements[1]!.end();
  expect(await next).toBe("row of a");
});
