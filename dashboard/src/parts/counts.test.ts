import { expect, test } from "vitest";
import { countText, counted } from "./counts.ts";

test.each([
  [0, undefined, "0"],
  [1_234, undefined, "1,234"],
  [10_000, false, "10,000"],
  [10_000, true, "10,000+"],
  [10_001, undefined, "10,000+"],
])("%i, of which more are not counted: %s, reads %s", (count, hasMore, text) =>
  expect(countText(count, hasMore)).toBe(text),
);

test("one thing is singular", () => {
  expect([counted(1, "finding"), counted(0, "finding"), counted(5_000, "finding")]).toEqual([
    "1 finding",
    "0 findings",
    "5,000 findings",
  ]);
});
