import { describe, expect, test } from "vitest";
import { Turns } from "./turns.ts";

/** Waits in this order; `order` has who got a turn, in turn. */
function queue(maxWaiting = 100) {
  const turns = new Turns({ atOnce: 1, maxWaiting, refusal: "Too many." });
  const order: string[] = [];
  const refused: string[] = [];
  const begin = (name: string, lane: string, isKnown = false) =>
    turns.begin({ lane, isKnown }).then(
      () => void order.push(name),
      () => void refused.push(name),
    );
  const endAll = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn++) {
      await Promise.resolve();
      turns.end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { order, refused, begin, endAll };
}

describe("turns", () => {
  test("turns are taken by lane, not by arrival", async () => {
    const { order, begin, endAll } = queue();
    for (const name of ["a1", "a2", "a3", "a4"]) void begin(name, "a");
    void begin("b1", "b");
    void begin("c1", "c");
    await endAll(6);
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "a4"]);
  });

  test("turns are taken by who is known first, however many others wait", async () => {
    const { order, begin, endAll } = queue();
    for (let n = 0; n < 90; n++) void begin(`flood-${n}`, `network-${n}`);
    void begin("ada", "browser", true);
    await endAll(1);
    expect(order).toEqual(["flood-0", "ada"]);
  });

  test("turns are not taken from who is known by a full queue of others", async () => {
    const { order, refused, begin, endAll } = queue(3);
    for (let n = 0; n < 10; n++) void begin(`flood-${n}`, `network-${n}`);
    void begin("ada", "browser", true);
    await endAll(1);
    expect(order).toEqual(["flood-0", "ada"]);
    expect(refused).toHaveLength(6);
  });

  test("turns are waited for by a newcomer instead of the last in the fullest lane", async () => {
    const { order, refused, begin, endAll } = queue(3);
    for (const name of ["a1", "a2", "a3", "a4"]) void begin(name, "a");
    void begin("b1", "b");
    await endAll(5);
    expect(refused).toEqual(["a4"]);
    expect(order).toEqual(["a1", "a2", "b1", "a3"]);
  });

  test("turns that are over are free for the next", async () => {
    const turns = new Turns({ atOnce: 2, maxWaiting: 0, refusal: "Too many." });
    await turns.begin({ lane: "a" });
    await turns.begin({ lane: "a" });
    await expect(turns.begin({ lane: "a" })).rejects.toMatchObject({
      code: "unavailable",
      message: "Too many.",
    });
    turns.end();
    await turns.begin({ lane: "a" });
  });
});
