import { expect, test } from "vitest";
import { fallbackCounter, memoryCounter } from "./rate-counter.ts";
import { rateState, uncounted, type RateCounter } from "./rate-limit.ts";

// The same over a real Redis that is killed and comes back: rate-counter.redis.test.ts.
function setUp() {
  const state = { clock: 0, away: false, asked: 0 };
  const changes: boolean[] = [];
  const primary: RateCounter = {
    count: async () => {
      state.asked++;
      if (state.away) throw new Error("away");
      return { consumed: 100, msBeforeReset: 1 };
    },
    close: async () => undefined,
  };
  const counter = fallbackCounter({
    primary,
    secondary: memoryCounter(),
    now: () => new Date(state.clock),
    onChange: (isFallback) => changes.push(isFallback),
  });
  const consumed = async (): Promise<number> => (await counter.count("x")).consumed;
  return { state, changes, consumed };
}

test("the secondary counter takes over immediately, and the change is reported once", async () => {
  const { state, changes, consumed } = setUp();
  expect(await consumed()).toBe(100);
  state.away = true;
  expect([await consumed(), await consumed(), await consumed()]).toEqual([1, 2, 3]);
  expect(changes).toEqual([true]);
});

test("a failed counter is left alone for a second, then asked again", async () => {
  const { state, changes, consumed } = setUp();
  state.away = true;
  await consumed();
  state.clock += 999;
  await consumed();
  expect(state.asked).toBe(1);
  state.away = false;
  state.clock += 1;
  expect(await consumed()).toBe(100);
  expect(changes).toEqual([true, false]);
});

test.each([
  { consumed: 1, remaining: 9, exceeded: false },
  { consumed: 10, remaining: 0, exceeded: false },
  { consumed: 11, remaining: 0, exceeded: true },
])("of a limit of 10, $consumed consumed leave $remaining", ({ consumed, remaining, exceeded }) => {
  const state = rateState({ consumed, msBeforeReset: 30_500 }, 10, new Date(1_000_000_000));
  const times = { resetAt: 1_000_031, retryAfter: 31 };
  expect(state).toEqual({ limit: 10, remaining, exceeded, isFirstExcess: exceeded, ...times });
});

test("what is not counted has all of its limit left", () => {
  expect(uncounted(60, new Date(0))).toMatchObject({
    limit: 60,
    remaining: 60,
    resetAt: 60,
    exceeded: false,
  });
});

test("a window begins with its first request and ends after a minute, for each client by itself", async () => {
  const state = { clock: 0 };
  const counter = memoryCounter(() => state.clock);
  expect(await counter.count("a")).toEqual({ consumed: 1, msBeforeReset: 60_000 });
  state.clock = 59_999;
  expect(await counter.count("b")).toEqual({ consumed: 1, msBeforeReset: 60_000 });
  expect(await counter.count("a", 3)).toEqual({ consumed: 4, msBeforeReset: 1 });
  state.clock = 60_000;
  expect(await counter.count("a")).toEqual({ consumed: 1, msBeforeReset: 60_000 });
  expect(await counter.count("b")).toEqual({ consumed: 2, msBeforeReset: 59_999 });
});
