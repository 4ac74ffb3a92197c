import { createFakeClock } from "../testing/fake-clock.ts";
import { describe, expect, test } from "vitest";
import { FenceLostError, LeaderElection } from "./leader-election.ts";
import { type ElectionCandidate, createCandidate } from "../testing/candidate.ts";
import { FakeLeases, type Journey } from "../testing/fake-leases.ts";

const LOST: Journey = { thereMs: 0, backMs: 0, lost: "there" };
const AT_ONCE: Journey = { thereMs: 0, backMs: 0 };

function bench() {
  const clock = createFakeClock();
  const leases = new FakeLeases(clock);
  const candidate = (name: string, journey?: () => Journey, date?: Date): ElectionCandidate =>
    createCandidate({ name, leases, journey, clock: date ? clock.withDate(date) : clock });
  return { clock, leases, candidate };
}

describe("a candidate", () => {
  test("a candidate that finds no lease creates it and leads", async () => {
    const { clock, leases, candidate } = bench();
    const a = candidate("a");
    expect(a.election.isLeader).toBe(false);
    a.election.start();
    await clock.advance(0);
    expect([a.election.isLeader, a.log]).toEqual([true, ["elected"]]);
    expect(leases.stored?.record).toMatchObject({ holder: "a", durationSeconds: 15, transitions: 0 });
  });

  test("a candidate does not lead while another one renews, regardless of the date that it writes", async () => {
    const { clock, leases, candidate } = bench();
    const a = candidate("a", undefined, new Date("2001-01-01T00:00:00Z"));
    const b = candidate("b");
    a.election.start();
    await clock.advance(0);
    b.election.start();
    await clock.advance(120_000);
    expect([a.log, b.log]).toEqual([["elected"], []]);
    expect(leases.stored?.record.holder).toBe("a");
  });

  test("takes the lease over when it has seen it unchanged for its whole duration, not sooner", async () => {
    const { clock, leases, candidate } = bench();
    const future = new Date("2090-01-01T00:00:00Z");
    const record = {
      holder: "gone",
      durationSeconds: 15,
      acquireTime: future,
      renewTime: future,
      transitions: 4,
    };
    await leases.seenBy().create(record);
    const b = candidate("b");
    b.election.start();
    await clock.advance(14_999);
    expect(b.log).toEqual([]);
    await clock.advance(2001);
    expect(b.log).toEqual(["elected"]);
    expect(leases.stored?.record).toMatchObject({ holder: "b", transitions: 5 });
  });

  test("waits for as long as the holder was promised, when that is longer", async () => {
    const { clock, leases, candidate } = bench();
    const date = clock.now();
    const record = {
      holder: "gone",
      durationSeconds: 60,
      acquireTime: date,
      renewTime: date,
      transitions: 0,
    };
    await leases.seenBy().create(record);
    const b = candidate("b");
    b.election.start();
    await clock.advance(59_000);
    expect(b.log).toEqual([]);
    await clock.advance(3000);
    expect(b.log).toEqual(["elected"]);
  });

  test("leads at its next try when the leader gives the lease back", async () => {
    const { clock, leases, candidate } = bench();
    const [a, b] = [candidate("a"), candidate("b")];
    a.election.start();
    await clock.advance(0);
    b.election.start();
    await clock.advance(5000);
    await a.election.stop();
    expect(a.log).toEqual(["elected", "fence aborted"]);
    expect(leases.stored?.record.holder).toBe("");
    await clock.advance(2000);
    expect(b.log).toEqual(["elected"]);
  });

  test("a candidate that is stopped before it leads writes nothing", async () => {
    const { clock, leases, candidate } = bench();
    const [a, b] = [candidate("a"), candidate("b")];
    a.election.start();
    await clock.advance(0);
    b.election.start();
    await clock.advance(0);
    const writes = leases.writes.length;
    await b.election.stop();
    await clock.advance(1000);
    expect(leases.writes).toHaveLength(writes);
  });

  test("a candidate of two that try at the same moment one leads", async () => {
    const { clock, candidate } = bench();
    const both = [candidate("a"), candidate("b")];
    both.forEach(({ election }) => election.start());
    await clock.advance(60_000);
    expect(both.filter(({ election }) => election.isLeader)).toHaveLength(1);
  });
});

describe("a leader", () => {
  const leading = async (journey?: () => Journey) => {
    const made = bench();
    const a = made.candidate("a", journey);
    a.election.start();
    await made.clock.advance(0);
    return { ...made, a };
  };

  test("a leader that cannot renew stops writing after 10 s, before anybody may take over after 15 s", async () => {
    let network = AT_ONCE;
    const { clock, a, candidate } = await leading(() => network);
    const b = candidate("b");
    b.election.start();
    await clock.advance(4000);
    network = LOST;
    await clock.advance(9999);
    expect(a.mayWrite()).toBe(true);
    await clock.advance(1);
    expect(a.mayWrite()).toBe(false);
    expect(a.log.filter((line) => line !== "error")).toEqual(["elected", "fence aborted", "lost"]);
    expect(() => a.fence()?.assertHeld()).toThrow(FenceLostError);
    expect(b.log).toEqual([]);
    await clock.advance(7000);
    expect(b.log).toEqual(["elected"]);
    await clock.advance(60_000);
    expect(a.election.isLeader).toBe(false);
  });

  test("a leader whose renewal is lost on the way leads on when the next one arrives", async () => {
    const journeys = [AT_ONCE, AT_ONCE, LOST];
    const { clock, a } = await leading(() => journeys.shift() ?? AT_ONCE);
    await clock.advance(60_000);
    expect(a.log).toEqual(["elected", "error"]);
    expect(a.election.isLeader).toBe(true);
  });

  test("a leader whose renewal arrived but got no response leads on", async () => {
    const journeys: Journey[] = [AT_ONCE, AT_ONCE, { thereMs: 0, backMs: 0, lost: "back" }];
    const { clock, a } = await leading(() => journeys.shift() ?? AT_ONCE);
    await clock.advance(60_000);
    expect(a.log).toEqual(["elected", "error"]);
    expect(a.election.isLeader).toBe(true);
  });

  test("stops immediately when it finds another holder", async () => {
    const { clock, leases, a } = await leading();
    const { record, version } = leases.stored!;
    await leases.seenBy().replace({ ...record, holder: "usurper" }, version);
    await clock.advance(2000);
    expect(a.log).toEqual(["elected", "fence aborted", "lost"]);
    await a.election.stop();
    expect(leases.stored?.record.holder).toBe("usurper");
  });

  test("a leader that was paused for longer than its time writes nothing when it wakes, before any timer runs", async () => {
    const clock = createFakeClock();
    let pausedMs = 0;
    const leases = new FakeLeases(clock);
    const paused = { ...clock, monotonic: () => clock.monotonic() + pausedMs };
    const a = createCandidate({ name: "a", leases, clock: paused });
    a.election.start();
    await clock.advance(0);
    expect(a.mayWrite()).toBe(true);
    pausedMs = 10_000;
    expect(a.mayWrite()).toBe(false);
  });

  test("a leader that stops during a renewal gives back what it holds by then", async () => {
    const journeys: Journey[] = [AT_ONCE, AT_ONCE, { thereMs: 500, backMs: 500 }];
    const { clock, leases, a } = await leading(() => journeys.shift() ?? AT_ONCE);
    await clock.advance(2000);
    const stopped = a.election.stop();
    expect(a.mayWrite()).toBe(false);
    await clock.advance(1000);
    await stopped;
    expect(leases.stored?.record.holder).toBe("");
  });
});

test("a timing in which two could lead at a time is refused", () => {
  const timing = { leaseMs: 10_000, renewDeadlineMs: 10_000, retryMs: 2000 };
  const leases = new FakeLeases(createFakeClock()).seenBy();
  const callbacks = { onElected: () => undefined, onLost: () => undefined };
  expect(() => new LeaderElection({ leases, identity: "a", timing, ...callbacks })).toThrow("leaseMs");
});
