import { expect, test } from "vitest";
import { compareInRounds, type Expected } from "./differential.ts";

/** Texts of which the first gets the baseline layout where the text decides, and the second the other layout. */
const texts = (sameIsBaseline: () => boolean, differentIsBaseline: () => boolean): Expected => ({
  same: () => Promise.resolve(sameIsBaseline()),
  different: () => Promise.resolve(!differentIsBaseline()),
});
const always = (value: boolean) => () => value;

test.each([
  ["a text that decides each time tells them apart", texts(always(true), always(false)), ["apart"]],
  ["a text that decides nothing leaves them similar", texts(always(true), always(true)), ["similar"]],
  ["another response to the same text is unsteady", texts(always(false), always(false)), ["unsteady"]],
  [
    "the other response to both is one of the two, by the order",
    texts(always(false), always(true)),
    ["similar", "unsteady"],
  ],
])("%s", async (_, both, expected) => {
  const seen = new Set<string>();
  for (let run = 0; run < 40; run++) seen.add(await compareInRounds(both, 3));
  expect([...seen].toSorted()).toEqual(expected);
});

test("a server that takes turns between two layouts is seldom taken for one that the text decides", async () => {
  let apart = 0;
  for (let run = 0; run < 2_000; run++) {
    let turn = run;
    const next = (): boolean => turn++ % 2 === 0;
    if ((await compareInRounds(texts(next, next), 5)) === "apart") apart++;
  }
  // One order in each of five rounds must be the one of its turns: 1 in 32.
  expect(apart).toBeLessThan(2_000 / 16);
});

test("a server of two random layouts randomly agrees as often as two texts in each round allow", async () => {
  const random = (): boolean => Math.random() < 0.5;
  const runs = 20_000;
  let apart = 0;
  for (let run = 0; run < runs; run++)
    if ((await compareInRounds(texts(random, random), 2)) === "apart") apart++;
  expect(apart / runs).toBeGreaterThan(0.03);
  expect(apart / runs).toBeLessThan(0.1); // (1/4)² of two rounds
});
