import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FIRST_PACE,
  isWaitedFor,
  MAX_CONCURRENCY,
  nextPace,
  retryAfterSeconds,
  startOf,
  type Observation,
  type Pace,
} from "./pace.ts";

const MAX_PAUSE_MS = 10_000;

const good: Observation = { now: 0, path: "GET /rooms", status: 200, elapsedMs: 20 };
const unavailable: Observation = { ...good, status: 503 };

/** The pace after these observations, each later than the one before by this many milliseconds. */
const after = (seen: readonly Partial<Observation>[], stepMs: number = 0, from: Pace = FIRST_PACE): Pace =>
  seen.reduce<Pace>((pace, each, index) => nextPace(pace, { ...good, now: index * stepMs, ...each }), from);

describe("nextPace", () => {
  it.each([
    ["a 503", { ...good, status: 503 }],
    ["no response", { ...good, status: 0 }],
    ["a response far slower than the baseline", { ...good, elapsedMs: 2_000 }],
  ])("halves the concurrency after %s", (_, observation) => {
    const baseline = nextPace(FIRST_PACE, good);
    expect(nextPace(baseline, observation).concurrency).toBe(MAX_CONCURRENCY / 2);
  });

  it("grows by one after eight good responses in a row", () => {
    let pace = nextPace(FIRST_PACE, unavailable);
    for (let count = 0; count < 8; count++) pace = nextPace(pace, good);
    expect(pace.concurrency).toBe(MAX_CONCURRENCY / 2 + 1);
  });

  it("stays between one and eight concurrent requests, for any observations", () => {
    const seen = fc.record({
      now: fc.nat(1e6),
      path: fc.constantFrom("GET /a", "GET /b", "GET /c", "GET /d"),
      status: fc.constantFrom(0, 200, 301, 404, 429, 500, 503),
      elapsedMs: fc.double({ min: 0, max: 20_000, noNaN: true }),
      retryAfterSeconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 60 }), (history) => {
        const { concurrency } = history.reduce<Pace>(nextPace, FIRST_PACE);
        return concurrency >= 1 && concurrency <= MAX_CONCURRENCY;
      }),
    );
  });
});

describe.each([
  [429, MAX_CONCURRENCY, MAX_CONCURRENCY],
  [503, MAX_CONCURRENCY / 2, MAX_CONCURRENCY / 4],
])("a %i", (status, afterOne, afterTwo) => {
  const other = "GET /others";
  const throttled = { path: good.path, status, elapsedMs: 1 };

  it("pauses its path for the time in Retry-After, and no other path", () => {
    const pace = after([{ ...throttled, now: 500, retryAfterSeconds: 3 }]);
    expect([startOf(pace, throttled.path), startOf(pace, other)]).toEqual([3_500, 0]);
    expect([pace.concurrency, isWaitedFor(pace, throttled.path)]).toEqual([afterOne, true]);
  });

  it("pauses its path for a second without Retry-After", () => {
    expect(startOf(after([throttled]), throttled.path)).toBe(1_000);
  });

  it("pauses nothing where Retry-After is longer than a scan waits, and is not retried", () => {
    const pace = after([{ ...throttled, retryAfterSeconds: 3_600 }]);
    expect([startOf(pace, throttled.path), startOf(pace, other), isWaitedFor(pace, throttled.path)]).toEqual([
      0,
      0,
      false,
    ]);
  });

  it("pauses once for all requests that were in flight", () => {
    const wave = Array.from({ length: 8 }, () => ({ ...throttled, retryAfterSeconds: 3 }));
    expect(startOf(after(wave, 10), throttled.path)).toBe(3_000);
  });

  it.each([
    [1, 3],
    [4, 2],
    [10, 1],
  ])(
    "a 429 of a path that asks for %i s each time and never responds with anything else is waited for %i times",
    (retryAfterSeconds, pauses) => {
      const seen = Array.from({ length: 6 }, () => ({ ...throttled, retryAfterSeconds }));
      const pace = after(seen, 20_000);
      expect(pace.limited.get(throttled.path)).toMatchObject({ pauses, isWaitedFor: false });
    },
  );

  it("a throttled path is waited for again after it has responded, for thirty seconds in a scan at most", () => {
    const rounds = Array.from({ length: 9 }, () => [{ ...throttled, retryAfterSeconds: 10 }, {}]).flat();
    const pace = after(rounds, 20_000);
    expect(pace.limited.get(throttled.path)).toMatchObject({ totalMs: 30_000, isWaitedFor: false });
  });

  it("a 429 of the third path in a row slows the whole scan down", () => {
    const seen = ["/a", "/b", "/c"].map((path) => ({ ...throttled, path, retryAfterSeconds: 2 }));
    const [two, three] = [after(seen.slice(0, 2)), after(seen)];
    expect([two.concurrency, startOf(two, other)]).toEqual([afterTwo, 0]);
    expect([three.concurrency, startOf(three, other)]).toEqual([afterTwo / 2, 2_000]);
  });

  it("a 429 of several paths between other responses is a limit of each path", () => {
    const seen = ["/a", "/b", "/c"].flatMap((path) => [{ ...throttled, path }, { path: other }]);
    expect(startOf(after(seen), other)).toBe(0);
  });

  it("a 429 of a host that throttles everything pauses the whole scan three times at most", () => {
    const seen = Array.from({ length: 30 }, (_, index) => ({ ...throttled, path: `/${index}` }));
    expect(after(seen, 20_000).hostPauses).toBe(3);
  });

  it("pauses for no more than ten seconds, for any observations", () => {
    const seen = fc.record({
      status: fc.constantFrom(0, 200, 429, 503),
      path: fc.constantFrom("GET /a", "GET /b", "GET /c", "GET /d"),
      retryAfterSeconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 60 }), (history) => {
        const pace = after(history, 100);
        const last = Math.max(0, history.length - 1) * 100;
        return [...pace.limited.keys(), other].every((path) => startOf(pace, path) <= last + MAX_PAUSE_MS);
      }),
    );
  });
});

describe("retryAfterSeconds", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  it.each([
    ["120", 120],
    [" 7 ", 7],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30],
    ["Wed, 31 Dec 2025 23:00:00 GMT", 0],
    ["soon", undefined],
    [undefined, undefined],
  ])("reads %s as %s seconds", (header, seconds) => expect(retryAfterSeconds(header, now)).toBe(seconds));
});
