import { describe, expect, test } from "vitest";
import { endOfDay, formatAgo, formatDuration } from "./time.ts";

const NOW = new Date("2026-11-23T12:00:00Z");

describe("a moment", () => {
  test.each([
    ["2026-11-23T11:59:30Z", "just now"],
    ["2026-11-23T11:58:01Z", "1 minute ago"],
    ["2026-11-23T09:00:00Z", "3 hours ago"],
    ["2026-11-22T11:00:00Z", "yesterday"],
    ["2026-11-26T12:00:00Z", "in 3 days"],
    ["2024-11-01T12:00:00Z", "2 years ago"],
  ])("%s is %s", (iso, said) => expect(formatAgo(iso, NOW)).toBe(said));
});

describe("a duration", () => {
  test.each([
    [420, "420 ms"],
    [59_999, "59 s"],
    [61_000, "1 min 1 s"],
    [3_600_000, "1 h"],
    [187_200_000, "2 d 4 h"],
    [86_400_000 + 59_000, "1 d"],
  ])("a duration of %d ms is %s", (milliseconds, said) => expect(formatDuration(milliseconds)).toBe(said));
});

test("what lasts until a day ends with that day, over the end of a month and a year", () => {
  expect(endOfDay("2026-11-30")).toBe("2026-12-01T00:00:00.000Z");
  expect(endOfDay("2026-12-31")).toBe("2027-01-01T00:00:00.000Z");
});
