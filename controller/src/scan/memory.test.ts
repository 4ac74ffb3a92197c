import { expect, test } from "vitest";
import { Remembered } from "./memory.ts";

test("the last thing of each scan is remembered, of ten thousand scans", () => {
  const remembered = new Remembered<string>();
  for (let n = 0; n < 10_000; n++) remembered.note(`scan-${n}`, "first");
  remembered.note("scan-0", "second");
  remembered.note("scan-new", "first");
  expect(remembered.of("scan-0")).toBe("second");
  expect(remembered.of("scan-1")).toBeUndefined();
  expect(remembered.of("scan-2")).toBe("first");
});
