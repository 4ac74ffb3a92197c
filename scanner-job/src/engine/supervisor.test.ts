import { describe, expect, it } from "vitest";
import { createSupervisor, type TargetHealth } from "./supervisor.ts";

const ITEMS = Array.from({ length: 100 }, (_, index) => index);

/** Does 100 items on a target that has these states of health, one after the other, and then is healthy. */
async function run(states: TargetHealth[], recovered: TargetHealth = "healthy") {
  const done: number[] = [];
  const settled: number[] = [];
  const pending = [...ITEMS];
  const supervisor = createSupervisor({
    health: () => Promise.resolve(states.shift() ?? "healthy"),
    recover: () => Promise.resolve(recovered),
  });
  const lost = await supervisor.run<number, number>({
    take: () => pending.shift(),
    do: (item) => (done.push(item), Promise.resolve(item)),
    settled: (results) => settled.push(...results.map(({ result }) => result)),
  });
  return { done, settled: settled.toSorted((a, b) => a - b), lost, left: pending, supervisor };
}

describe("the supervisor", () => {
  it("the supervisor does everything once where the target stays healthy", async () => {
    const { done, settled, lost } = await run([]);
    expect([settled, lost]).toEqual([ITEMS, []]);
    expect(done).toHaveLength(100);
  });

  it("repeats what was done during an outage, and settles every item once", async () => {
    const { done, settled } = await run(["healthy", "unresponsive"]);
    expect(settled).toEqual(ITEMS);
    expect(done.length).toBeGreaterThan(150);
  });

  it("the supervisor does nothing where the target blocks before the first item", async () => {
    const { done, lost, left, supervisor } = await run(["blocking"], "blocking");
    expect([done.length, lost.length + left.length, supervisor.loss]).toEqual([0, 100, "blocking"]);
  });

  it("keeps what was done before the target was lost, and nothing after", async () => {
    const { settled, lost, left } = await run(["healthy", "healthy", "unresponsive"], "unresponsive");
    expect(settled.length).toBeGreaterThanOrEqual(80);
    expect(settled.length).toBeLessThan(100);
    expect([...settled, ...lost, ...left].toSorted((a, b) => a - b)).toEqual(ITEMS);
  });

  it("gives up a target that recovers only to block again", async () => {
    const { settled, supervisor } = await run(Array<TargetHealth>(50).fill("blocking"));
    expect([settled, supervisor.loss]).toEqual([[], "blocking"]);
  });

  it("the supervisor does items that become available when others are settled", async () => {
    const pending = [1];
    const done: number[] = [];
    const supervisor = createSupervisor({
      health: () => Promise.resolve("healthy"),
      recover: () => Promise.resolve("healthy"),
    });
    await supervisor.run<number, number>({
      take: () => pending.shift(),
      do: (item) => (done.push(item), Promise.resolve(item)),
      settled: (results) => pending.push(...results.flatMap(({ item }) => (item < 3 ? [item + 1] : []))),
    });
    expect(done).toEqual([1, 2, 3]);
  });

  it("the supervisor does an item once more that got no response, though the target is healthy again by then", async () => {
    const { done, settled } = await runInvalidated({ isHealthy: () => true, fails: (count) => count === 1 });
    expect([done, settled]).toEqual([
      ["a", "b", "b"],
      ["a ok", "b ok"],
    ]);
  });

  it("the supervisor does an item twice more at most while the target is healthy, and then settles it as it is", async () => {
    const { done, settled } = await runInvalidated({ isHealthy: () => true, fails: () => true });
    expect([done, settled]).toEqual([
      ["a", "b", "b", "b"],
      ["a ok", "invalidated"],
    ]);
  });

  it("the supervisor does items one at a time where they must be alone", async () => {
    const pending = [1, 2, 3, 4];
    let [underWay, max] = [0, 0];
    const supervisor = createSupervisor({
      health: () => Promise.resolve("healthy"),
      recover: () => Promise.resolve("healthy"),
    });
    await supervisor.run<number, void>({
      alone: true,
      take: () => pending.shift(),
      async do() {
        max = Math.max(max, ++underWay);
        await Promise.resolve();
        underWay--;
      },
      settled: () => {},
    });
    expect([max, pending]).toEqual([1, []]);
  });
});

/** Does the items a and b, of which b may stay without a response. */
async function runInvalidated(target: {
  isHealthy: () => boolean;
  /** Whether b gets no response at this attempt. */
  fails: (count: number) => boolean;
}) {
  const [done, settled]: [string[], string[]] = [[], []];
  const pending = ["a", "b"];
  let isUp = true;
  const supervisor = createSupervisor({
    health() {
      isUp &&= target.isHealthy();
      return Promise.resolve(isUp ? "healthy" : "unresponsive");
    },
    recover: () => ((isUp = true), Promise.resolve("healthy")),
  });
  await supervisor.run<string, string>({
    take: () => pending.shift(),
    do(item) {
      done.push(item);
      const isInvalidated = item === "b" && target.fails(done.filter((each) => each === "b").length);
      return Promise.resolve(isInvalidated ? "invalidated" : `${item} ok`);
    },
    settled: (results) => settled.push(...results.map(({ result }) => result)),
    isInvalidated: (result) => result === "invalidated",
  });
  return { done, settled: settled.toSorted() };
}
