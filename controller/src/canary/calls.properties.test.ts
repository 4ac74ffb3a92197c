import fc from "fast-check";
import { expect, test } from "vitest";
import { Calls, GAP_MS } from "./calls.ts";

/** Milliseconds from each call to the next. */
const pauses = fc.array(fc.oneof(fc.nat(GAP_MS), fc.nat(4 * GAP_MS)), { minLength: 1, maxLength: 30 });

test("a run of calls began before a moment if and only if no gap lies between that moment and now", () => {
  fc.assert(
    fc.property(pauses, fc.nat(), fc.nat(2 * GAP_MS), (after, which, silence) => {
      const calls = new Calls();
      const times: number[] = [];
      let now = 0;
      for (const pause of after) {
        now += pause;
        times.push(now);
        calls.note("IPv4", now);
      }
      // What the controller has heard before it makes the Job is an answer to a call.
      const noted = times[which % times.length]!;
      const until = now + silence;
      const since = calls.since(until).IPv4;
      const later = [...times.filter((time) => time >= noted), until];
      const hasGap = later.some((time, index) => index > 0 && time - later[index - 1]! > GAP_MS);
      expect(since !== undefined && since <= noted).toBe(!hasGap);
    }),
  );
});

test("each address family has a run of its own", () => {
  const calls = new Calls();
  calls.note("IPv4", 0);
  calls.note("IPv6", 2_000);
  calls.note("IPv6", 4_000);
  expect(calls.since(5_000)).toEqual({ IPv6: 2_000 });
});
