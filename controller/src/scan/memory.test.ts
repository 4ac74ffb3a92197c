import { expect, test } from "vitest";
import { Lasting, Remembered } from "./memory.ts";

test("the last thing of each scan is remembered, of ten thousand scans", () => {
  const remembered = new Remembered<string>();
  for (let n = 0; n < 10_000; n++) remembered.note(`scan-${n}`, "first");
  remembered.note("scan-0", "second");
  remembered.note("scan-new", "first");
  expect(remembered.of("scan-0")).toBe("second");
  expect(remembered.of("scan-1")).toBeUndefined();
  expect(remembered.of("scan-2")).toBe("first");
});

test("what holds has held since it was first seen, and begins anew after a gap", () => {
  const conditions = new Lasting();
  const age = (holds: boolean, at: number) => conditions.ageOf("a pod lost", holds, at);
  expect([age(true, 1000), age(true, 4000)]).toEqual([0, 3000]);
  expect([age(false, 5000), age(true, 6000), age(true, 6500)]).toEqual([undefined, 0, 500]);
  expect(conditions.ageOf("another lost", true, 7000)).toBe(0);
});
