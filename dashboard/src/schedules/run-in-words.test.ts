import { expect, test } from "vitest";
import { runInWords } from "./run-in-words.ts";

const NOW = new Date("2026-11-21T22:30:00Z"); // 23:30 in Berlin, the next day in Tokyo

test.each([
  ["2026-11-21T22:45:00Z", "Europe/Berlin", "today at 23:45 (Europe/Berlin)"],
  ["2026-11-22T01:30:00Z", "Europe/Berlin", "tomorrow at 02:30 (Europe/Berlin)"],
  ["2026-11-22T01:30:00Z", "Asia/Tokyo", "today at 10:30 (Asia/Tokyo)"],
  ["2026-11-21T22:45:00Z", "Etc/UTC", "today at 22:45 (Etc/UTC)"],
  ["2026-11-20T22:45:00Z", "Etc/UTC", "yesterday at 22:45 (Etc/UTC)"],
  ["2026-11-24T00:00:00Z", "Etc/UTC", "Tue 24 Nov at 00:00 (Etc/UTC)"],
  ["2028-02-29T02:30:00Z", "Etc/UTC", "Tue 29 Feb 2028 at 02:30 (Etc/UTC)"],
])("%s in %s is %s", (iso, timeZone, words) => {
  expect(runInWords(iso, timeZone, NOW)).toBe(words);
});

test("the day after a change of the clock is tomorrow, though it is 25 hours away", () => {
  const before = new Date("2026-10-24T22:30:00Z"); // 00:30 of the long Sunday in Berlin
  expect(runInWords("2026-10-25T23:15:00Z", "Europe/Berlin", before)).toBe(
    "tomorrow at 00:15 (Europe/Berlin)",
  );
});
