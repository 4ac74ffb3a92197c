import { expect, test } from "vitest";
import { Recent } from "./recent.ts";

test("the oldest entry goes when there are too many", () => {
  const recent = new Recent<number>({ ms: 1000, most: 2 });
  const now = new Date(0);
  for (const [index, key] of ["a", "b", "a", "c"].entries()) recent.set(key, index, now);
  expect(["a", "b", "c"].map((key) => recent.get(key, now)?.value)).toEqual([2, undefined, 3]);
});
