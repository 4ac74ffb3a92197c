import fc from "fast-check";
import { expect, test } from "vitest";
import { ReachedSince } from "./listener.ts";

const GAP_MS = 3_000;

/** Milliseconds from each probe to the next. */
const pauses = fc.array(fc.oneof(fc.nat(GAP_MS), fc.nat(4 * GAP_MS)), { minLength: 1, maxLength: 30 });

test("a run of probes began before a moment if and only if no gap lies between that moment and now", () => {
  fc.assert(
    fc.property(pauses, fc.nat(), fc.nat(2 * GAP_MS), (after, which, silentMs) => {
      const reached = new ReachedSince();
      const times: number[] = [];
      let now = 0;
      for (const pause of after) {
        now += pause;
        times.push(now);
        reached.note("IPv4", now);
      }
      // The controller's last result before it creates the Job responds to a probe.
      const noted = times[which % times.length]!;
      const until = now + silentMs;
      const since = reached.at(until).IPv4;
      const later = [...times.filter((time) => time >= noted), until];
      const hasGap = later.some((time, index) => index > 0 && time - later[index - 1]! > GAP_MS);
      expect(since !== undefined && since <= noted).toBe(!hasGap);
    }),
  );
});

test("each address family has its own run", () => {
  const reached = new ReachedSince();
  reached.note("IPv4", 0);
  reached.note("IPv6", 2_000);
  reached.note("IPv6", 4_000);
  expect(reached.at(5_000)).toEqual({ IPv6: 2_000 });
});
