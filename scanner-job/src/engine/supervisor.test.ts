import { describe, expect, it } from "vitest";
import { createSupervisor, type TargetHealth } from "./supervisor.ts";

const items = Array.from({ length: 100 }, (_, index) => index);

/** A supervisor of a target of this health, one look after the other; then healthy. */
function supervising(looks: TargetHealth[], recovered: TargetHealth = "healthy") {
  const done: number[] = [];
  const supervisor = createSupervisor({
    health: () => Promise.resolve(looks.shift() ?? "healthy"),
    recover: () => Promise.resolve(recovered),
  });
  const results = supervisor.run<number, string>(items, {
    do: (item) => (done.push(item), Promise.resolve(`${item} done`)),
    lost: (item, loss) => `${item} lost: ${loss}`,
  });
  return { results, done, supervisor };
}

describe("the supervisor", () => {
  it("does everything once where the target stays healthy", async () => {
    const { results, done } = supervising([]);
    expect(await results).toEqual(items.map((item) => `${item} done`));
    expect(done).toHaveLength(100);
  });

  it("does again what an outage spoilt, and loses no result", async () => {
    const { results, done } = supervising(["healthy", "unresponsive"]);
    expect(await results).toEqual(items.map((item) => `${item} done`));
    expect(done).toHaveLength(180);
  });

  it("does nothing where the target was lost before it began", async () => {
    const { results, done, supervisor } = supervising(["blocking"], "blocking");
    expect((await results)[0]).toBe("0 lost: blocking");
    expect([done.length, supervisor.loss]).toEqual([0, "blocking"]);
  });

  it("keeps what was done before the target was lost, and nothing since", async () => {
    const { results } = supervising(["healthy", "healthy", "unresponsive"], "unresponsive");
    expect((await results)[79]).toBe("79 done");
    expect((await results)[80]).toBe("80 lost: unresponsive");
  });

  it("gives a target up that recovers only to block again", async () => {
    const { results, supervisor } = supervising(Array<TargetHealth>(50).fill("blocking"));
    expect((await results).at(-1)).toBe("99 lost: blocking");
    expect(supervisor.loss).toBe("blocking");
  });
});
