import { expect, test } from "vitest";
import { Refusals } from "./refusals.ts";

const refusal = (message: string) => ({ what: "Job", message, at: new Date(0) }) as const;

test("the last refusal of each scan is remembered, of ten thousand scans", () => {
  const refusals = new Refusals();
  for (let n = 0; n < 10_000; n++) refusals.note(`scan-${n}`, refusal("first"));
  refusals.note("scan-0", refusal("second"));
  refusals.note("scan-new", refusal("first"));
  expect(refusals.of("scan-0")?.message).toBe("second");
  expect(refusals.of("scan-1")).toBeUndefined();
  expect(refusals.of("scan-2")?.message).toBe("first");
});
