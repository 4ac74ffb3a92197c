import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  admit as admitBeside,
  type SlotLimits,
  type Candidate,
  Reservations,
  type QueuedScan,
} from "./fairness.ts";

const scan = (id: string, account: string, host = `${id}.example`, since = 0): QueuedScan => ({
  id,
  account,
  host,
  since,
});
const wide: SlotLimits = { total: 100, perAccount: 100, perHost: 100 };

const admit = (waiting: readonly QueuedScan[], live: readonly Candidate[], limits: SlotLimits): string[] => {
  const running = new Reservations();
  for (const scan of live) running.put(scan);
  return admitBeside(waiting, running, limits);
};

const arbitraryLimits = fc.record({
  total: fc.integer({ min: 1, max: 12 }),
  perAccount: fc.integer({ min: 1, max: 6 }),
  perHost: fc.integer({ min: 1, max: 4 }),
});
const arbitraryScans = (prefix: string, maxLength: number) =>
  fc
    .array(
      fc.record({
        account: fc.constantFrom("a", "b", "c", "d"),
        host: fc.constantFrom("x", "y", "z"),
        since: fc.nat(20),
      }),
      { maxLength },
    )
    .map((scans) => scans.map((one, index) => ({ ...one, id: `${prefix}${index}` })));

const most = (scans: readonly Candidate[], key: "account" | "host"): number => {
  const counts = [...Map.groupBy(scans, (one) => one[key]).values()];
  return Math.max(0, ...counts.map(({ length }) => length));
};

describe("the fair queue", () => {
  test("gives free slots to accounts in turn, and within an account to the first that came", () => {
    const waiting = [
      scan("a2", "a", "h1", 2),
      scan("a1", "a", "h2", 1),
      scan("a3", "a", "h3", 3),
      scan("b1", "b", "h4", 9),
    ];
    expect(admit(waiting, [], { ...wide, total: 3 })).toEqual(["a1", "b1", "a2"]);
  });

  test("gives the turn to the account whose last turn is longest ago, whoever came first", () => {
    const of = (account: string, lastAdmission: number, since: number) =>
      [1, 2].map((n) => ({ ...scan(`${account}${n}`, account, `${account}${n}`, since + n), lastAdmission }));
    const waiting = [...of("a", 7, 0), ...of("b", 5, 10), ...of("c", 0, 20)];
    expect(admit(waiting, [], { ...wide, total: 4 })).toEqual(["c1", "b1", "a1", "a2"]);
  });

  test("counts what runs already in an account's share", () => {
    const live = [scan("a0", "a"), scan("a9", "a")];
    const waiting = [scan("a1", "a", "h1", 0), scan("b1", "b", "h2", 5), scan("b2", "b", "h3", 6)];
    expect(admit(waiting, live, { ...wide, total: 4 })).toEqual(["b1", "b2"]);
  });

  test.each<[string, Partial<SlotLimits>, string[]]>([
    ["none", {}, ["b1", "a1", "a2"]],
    ["in all", { total: 2 }, ["b1"]],
    ["for one account", { perAccount: 1 }, ["b1"]],
    ["against one host", { perHost: 1 }, ["a2"]],
    ["that is full", { total: 1 }, []],
  ])("holds the cap %s", (_, limits, expected) => {
    const live = [scan("a0", "a", "shop")];
    const waiting = [scan("a1", "a", "shop", 1), scan("a2", "a", "other", 2), scan("b1", "b", "shop", 3)];
    expect(admit(waiting, live, { ...wide, ...limits })).toEqual(expected);
  });

  test("keeps a host's only slot for the one that came first, though newcomers have fewer scans running", () => {
    const live = [scan("a0", "a")];
    const waiting = [scan("a1", "a", "shop", 1), scan("b1", "b", "shop", 2)];
    expect(admit(waiting, live, { ...wide, perHost: 1 })).toEqual(["a1"]);
  });

  test("holds every cap, lets go only who waits, and wastes no slot that a lone waiting scan could have", () => {
    fc.assert(
      fc.property(
        arbitraryLimits,
        arbitraryScans("w", 30),
        arbitraryScans("l", 12),
        (limits, waiting, all) => {
          const live = all.filter((_, index) => {
            const upTo = all.slice(0, index + 1);
            return (
              upTo.length <= limits.total &&
              most(upTo, "account") <= limits.perAccount &&
              most(upTo, "host") <= limits.perHost
            );
          });
          const admitted = admit(waiting, live, limits).map((id) => waiting.find((one) => one.id === id)!);
          const after = [...live, ...admitted];
          expect(new Set(admitted).size).toBe(admitted.length);
          expect(after.length).toBeLessThanOrEqual(limits.total);
          expect(most(after, "account")).toBeLessThanOrEqual(limits.perAccount);
          expect(most(after, "host")).toBeLessThanOrEqual(limits.perHost);
          const left = waiting.filter((one) => !admitted.includes(one));
          const fits = left.filter((one) => {
            const then = [...after, one];
            const count = (key: "account" | "host") => then.filter((other) => other[key] === one[key]).length;
            return (
              then.length <= limits.total &&
              count("account") <= limits.perAccount &&
              count("host") <= limits.perHost
            );
          });
          expect(fits).toEqual([]);
        },
      ),
    );
  });

  test("starves nobody: however many come after, who waits is let go once all that was ahead has ended", () => {
    fc.assert(
      fc.property(arbitraryLimits, arbitraryScans("w", 12), (limits, first) => {
        const patient = new Set(first.map(({ id }) => id));
        let waiting: QueuedScan[] = first;
        let live: QueuedScan[] = [];
        const rounds = 40 * (first.length + 1);
        for (let round = 0; round < rounds && patient.size > 0; round++) {
          const admitted = admit(waiting, live, limits);
          live = [...live, ...waiting.filter(({ id }) => admitted.includes(id))];
          // Newcomers of every account against every host, one for each slot; and one running scan ends.
          const since = 100 + round;
          const newcomers = [...Array(limits.total).keys()].map((n) =>
            scan(`n${round}-${n}`, "abcd"[(round + n) % 4]!, "xyz"[(round * 7 + n) % 3], since),
          );
          waiting = [...waiting.filter(({ id }) => !admitted.includes(id)), ...newcomers].slice(0, 60);
          for (const id of admitted) patient.delete(id);
          live = live.slice(1);
        }
        expect([...patient]).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });

  test("serves 20 accounts with queues of very different length equally", () => {
    const waiting = [...Array(20).keys()].flatMap((account) =>
      [...Array(account === 0 ? 500 : 25).keys()].map((n) =>
        scan(`${account}-${n}`, `account${account}`, undefined, n),
      ),
    );
    const admitted = admit(waiting, [], { ...wide, total: 40 }).map((id) => id.split("-")[0]);
    const shares = Map.groupBy(admitted, (account) => account!);
    expect([...shares.values()].map(({ length }) => length)).toEqual(Array(20).fill(2));
  });
});

const contender = fc.record({
  id: fc.constantFrom("1", "2", "3", "4"),
  account: fc.constantFrom("a", "b"),
  host: fc.constantFrom("x", "y"),
});

test("after any additions, removals and moves, the counts are the counts of the holders that are left", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ contender, comes: fc.boolean() })), (steps) => {
      const holders = new Reservations();
      const left = new Map<string, (typeof steps)[number]["contender"]>();
      for (const { contender: one, comes } of steps) {
        if (!comes) expect(holders.delete(one.id)).toBe(left.delete(one.id));
        if (comes) holders.put(one);
        if (comes) left.set(one.id, one);
      }
      const countOf = (key: "account" | "host", name: string) =>
        [...left.values()].filter((one) => one[key] === name).length;
      expect(holders.total).toBe(left.size);
      for (const account of ["a", "b"]) expect(holders.ofAccount(account)).toBe(countOf("account", account));
      for (const host of ["x", "y"]) expect(holders.ofHost(host)).toBe(countOf("host", host));
    }),
  );
});
