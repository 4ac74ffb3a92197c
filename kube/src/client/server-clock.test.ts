import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { requestJson } from "./client.ts";
import { ServerClock } from "./server-clock.ts";
import { createFakeClock } from "../testing/fake-clock.ts";
import { FakeKubeApiserver } from "../testing/fake-kube-apiserver.ts";

const SERVER = Date.parse("2026-11-21T12:00:00Z");
/** As the server writes it: whole seconds. */
const dateOf = (time: number): string => new Date(Math.floor(time / 1000) * 1000).toUTCString();

interface Call {
  /** Milliseconds before the call, on its way there, and on its way back. */
  readonly pause: number;
  readonly there: number;
  readonly back: number;
}
const calls = (longest: number) =>
  fc.array(
    fc.record({
      pause: fc.integer({ min: 0, max: 60_000 }),
      there: fc.integer({ min: 0, max: longest }),
      back: fc.integer({ min: 0, max: longest }),
    }),
    { minLength: 1, maxLength: 30 },
  );

/** A server that is so far ahead of this process, whose time is 0 at first. */
function hearing(aheadMs: number) {
  const state = { mono: 0, ahead: aheadMs };
  const clock = new ServerClock({
    monotonic: () => state.mono,
    now: () => new Date(state.mono),
    after: () => () => undefined,
  });
  return {
    state,
    clock,
    error: () => Math.abs(clock.now().getTime() - (state.mono + state.ahead)),
    call({ pause, there, back }: Call) {
      state.mono += pause;
      const sentAt = state.mono;
      state.mono += there;
      const date = dateOf(state.mono + state.ahead);
      state.mono += back;
      clock.heard(date, sentAt);
    },
  };
}

describe("the clock of a server", () => {
  test("the clock of a server before its first response, and by responses without a date, is the clock of this process", () => {
    const local = createFakeClock();
    const clock = new ServerClock(local);
    for (const date of [undefined, "", "yesterday"]) clock.heard(date, 0);
    expect(clock.now()).toEqual(local.now());
  });

  test("the clock of a server is known to half a second and half of the shortest response's time, regardless of this process's clock", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), calls(3_000), (skew, made) => {
        const { call, error } = hearing(SERVER + skew);
        made.forEach(call);
        const last = made.at(-1)!;
        expect(error()).toBeLessThanOrEqual((1_000 + last.there + last.back) / 2);
      }),
    );
  });

  test("the clock of a server is known more precisely by responses that come at other parts of a second", () => {
    const { call, error } = hearing(SERVER + 371);
    for (let response = 0; response < 50; response++) call({ pause: 137, there: 2, back: 2 });
    expect(error()).toBeLessThanOrEqual(50);
  });

  test("the clock of a server that was set is known again by the next response, or was set by less than is known of it", () => {
    fc.assert(
      fc.property(calls(500), fc.integer({ min: -1e7, max: 1e7 }), calls(500), (before, step, after) => {
        const { call, error, state } = hearing(SERVER);
        before.forEach(call);
        state.ahead += step;
        after.forEach(call);
        // Of what was known before a small step, as much may stay as both agree on.
        expect(error()).toBeLessThanOrEqual(2_000);
      }),
    );
  });

  test("the clock of a server that drifts is followed", () => {
    const { call, error, state } = hearing(SERVER);
    for (let response = 0; response < 5_000; response++) {
      call({ pause: 9_990, there: 5, back: 5 });
      state.ahead += 10_000 * 4e-4;
      expect(error()).toBeLessThanOrEqual(1_100);
    }
  });

  test("the clock of a server is told by every response of the API server, including refusals", async () => {
    await using server = await FakeKubeApiserver.start();
    const clock = new ServerClock(createFakeClock(new Date(0)));
    const heard = vi.spyOn(clock, "heard");
    const { transport, close } = server.client({ clock });
    const path = "/api/v1/namespaces/scans";
    await expect(transport({ path })).rejects.toThrow("404");
    expect(heard).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/ GMT$/), 0);
    const [date] = heard.mock.calls[0]!;
    expect(clock.now()).toEqual(new Date(Date.parse(date!) + 500));
    server.collection("/api/v1/namespaces").create({ metadata: { name: "scans" } } as never);
    await requestJson(transport, { path });
    expect(heard).toHaveBeenCalledTimes(2);
    close();
  });
});
