import { afterEach, expect, test, vi } from "vitest";
import { withTimeout } from "./with-timeout.ts";

afterEach(() => {
  vi.useRealTimers();
});

const timeout = { ms: 250, error: () => new RangeError("no response in time") };

test("a promise that settles in time gives its value or its reason, and leaves no timer", async () => {
  vi.useFakeTimers();
  expect(await withTimeout(Promise.resolve(1), timeout)).toBe(1);
  await expect(withTimeout(Promise.reject(new TypeError("no")), timeout)).rejects.toThrow(TypeError);
  expect(vi.getTimerCount()).toBe(0);
});

test("a promise that does not settle in time is rejected with the error, and may reject later unnoticed", async () => {
  vi.useFakeTimers();
  const late = Promise.withResolvers<never>();
  const bounded = withTimeout(late.promise, timeout);
  await Promise.all([expect(bounded).rejects.toThrow(RangeError), vi.advanceTimersByTimeAsync(250)]);
  late.reject(new TypeError("too late"));
});
