import { expect, test } from "vitest";
import { featuresOf, sameAs, type Features } from "../oracles/similarity.ts";
import { aReply } from "../testing/samples.ts";
import { compareInRounds, type Texts } from "./differential.ts";

const layouts = [`{"rows":[]}`, `{"items":[],"total":0}`].map((body) =>
  featuresOf(aReply({ status: 200, body })),
);
const [usual, other] = layouts as [Features, Features];
const isUsual = sameAs([usual]);
const texts = (same: () => Features | undefined, different: () => Features | undefined): Texts => ({
  same: () => Promise.resolve(same()),
  different: () => Promise.resolve(different()),
});
const always =
  <Value>(value: Value): (() => Value) =>
  () =>
    value;

test.each([
  ["a text that decides each time tells them apart", texts(always(usual), always(other)), "apart"],
  ["a text that decides nothing leaves them alike", texts(always(usual), always(usual)), "alike"],
  ["a refusal of the other text leaves them alike", texts(always(usual), always(undefined)), "alike"],
  ["another answer to the same text is unsteady", texts(always(other), always(other)), "unsteady"],
])("%s", async (_, both, expected) => {
  const seen = new Set<string>();
  // An order may end in the other text first.
  for (let run = 0; run < 20; run++) seen.add(await compareInRounds(isUsual, both, 3));
  expect([...seen]).toContain(expected);
  expect(seen.has("apart")).toBe(expected === "apart");
});

test("a server that takes turns between two layouts is seldom taken for one that the text decides", async () => {
  let apart = 0;
  for (let run = 0; run < 2_000; run++) {
    let turn = run;
    const next = (): Features => layouts[turn++ % 2]!;
    if ((await compareInRounds(isUsual, texts(next, next), 5)) === "apart") apart++;
  }
  // One order in each of five rounds must be the one of its turns: 1 in 32.
  expect(apart).toBeLessThan(2_000 / 16);
});

test("a server of two random layouts agrees by chance as often as two texts in each round allow", async () => {
  const random = (): Features => layouts[Math.floor(Math.random() * 2)]!;
  let apart = 0;
  const runs = 20_000;
  for (let run = 0; run < runs; run++)
    if ((await compareInRounds(isUsual, texts(random, random), 2)) === "apart") apart++;
  expect(apart / runs).toBeGreaterThan(0.03);
  expect(apart / runs).toBeLessThan(0.1); // (1/4)² of two rounds
});
