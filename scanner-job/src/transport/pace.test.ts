import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { FIRST_PACE, MAX_CONCURRENCY, nextPace, retryAfterSeconds, type Observation, Gate } from "./pace.ts";

const good: Observation = { now: 0, status: 200, elapsedMs: 20 };

describe("nextPace", () => {
  it.each([
    ["a 429", { ...good, status: 429 }],
    ["a 503", { ...good, status: 503 }],
    ["no answer", { ...good, status: 0 }],
    ["an answer far slower than usual", { ...good, elapsedMs: 2_000 }],
  ])("halves the concurrency after %s", (_, observation) => {
    const usual = nextPace(FIRST_PACE, good);
    expect(nextPace(usual, observation).concurrency).toBe(MAX_CONCURRENCY / 2);
  });

  it("waits for the time in Retry-After", () => {
    expect(
      nextPace(FIRST_PACE, { now: 500, status: 429, elapsedMs: 1, retryAfterSeconds: 3 }).pausedUntil,
    ).toBe(3_500);
  });

  it("waits no longer than ten seconds, for any Retry-After", () => {
    expect(
      nextPace(FIRST_PACE, { now: 0, status: 503, elapsedMs: 1, retryAfterSeconds: 86_400 }).pausedUntil,
    ).toBe(10_000);
  });

  it("pauses for the first three answers in a row that are 503 and ask for no pause", () => {
    const unavailable: Observation = { ...good, status: 503 };
    let pace = FIRST_PACE;
    const pauses = Array.from({ length: 5 }, (_, index) => {
      pace = nextPace(pace, { ...unavailable, now: index * 10_000 });
      return pace.pausedUntil > index * 10_000;
    });
    expect(pauses).toEqual([true, true, true, false, false]);
    expect(nextPace(pace, good).unavailable).toBe(0);
  });

  it("pauses once for all connections that an outage cuts, and at most a hundred times in a scan", () => {
    const lost: Observation = { ...good, now: 1_000, status: 0, isLost: true };
    const paused = nextPace(nextPace(FIRST_PACE, lost), { ...lost, now: 1_100 });
    expect([paused.pausedUntil, paused.pausesForLosses]).toEqual([1_200, 1]);
    const again = nextPace(paused, { ...lost, now: 1_300 });
    expect([again.pausedUntil, again.pausesForLosses]).toEqual([1_500, 2]);
    expect(nextPace({ ...FIRST_PACE, pausesForLosses: 100 }, lost).pausedUntil).toBe(1_000);
  });

  it("grows by one after eight good answers in a row", () => {
    let pace = nextPace(FIRST_PACE, { ...good, status: 429 });
    for (let answer = 0; answer < 8; answer++) pace = nextPace(pace, good);
    expect(pace.concurrency).toBe(MAX_CONCURRENCY / 2 + 1);
  });

  it("stays between one and eight concurrent requests, for any observations", () => {
    const seen = fc.record({
      now: fc.nat(1e6),
      status: fc.constantFrom(0, 200, 301, 404, 429, 500, 503),
      elapsedMs: fc.double({ min: 0, max: 20_000, noNaN: true }),
      retryAfterSeconds: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 60 }), (history) => {
        const { concurrency } = history.reduce(nextPace, FIRST_PACE);
        return concurrency >= 1 && concurrency <= MAX_CONCURRENCY;
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

const answered = (status: number) => () => ({ status, elapsedMs: 1 });

describe("Gate", () => {
  it("lets no more requests through at once than the pace allows", async () => {
    const gate = new Gate(() => 0);
    let underWay = 0;
    let most = 0;
    const request = async () => {
      most = Math.max(most, ++underWay);
      await Promise.resolve();
      underWay--;
    };
    await Promise.all(Array.from({ length: 100 }, () => gate.pass(request, answered(200))));
    expect(most).toBe(MAX_CONCURRENCY);
  });

  it("lets the next one through after a request has failed", async () => {
    const gate = new Gate(() => 0);
    const failing = Array.from({ length: 20 }, () =>
      gate.pass(() => Promise.reject(new Error("cut")), answered(0)),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === "rejected")).toBe(true);
    await expect(gate.pass(() => Promise.resolve("answer"), answered(200))).resolves.toBe("answer");
  });

  it("holds everything back until a pause that the target asked for is over", async () => {
    vi.useFakeTimers({ now: 0 });
    const gate = new Gate(() => Date.now());
    await gate.pass(
      () => Promise.resolve(),
      () => ({ status: 429, elapsedMs: 1, retryAfterSeconds: 5 }),
    );
    let sent = false;
    const held = gate.pass(() => Promise.resolve((sent = true)), answered(200));
    await vi.advanceTimersByTimeAsync(4_900);
    expect(sent).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    await held;
    expect(sent).toBe(true);
    vi.useRealTimers();
  });

  it("lets all go when it is closed, so that nothing waits for ever", async () => {
    const gate = new Gate(() => 0);
    await gate.pass(
      () => Promise.resolve(),
      () => ({ status: 503, elapsedMs: 1, retryAfterSeconds: 9 }),
    );
    const waiting = gate.pass(() => Promise.reject(new Error("deadline")), answered(0));
    gate.close();
    await expect(waiting).rejects.toThrow("deadline");
  });
});
