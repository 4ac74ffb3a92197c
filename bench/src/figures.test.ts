import { expect, test } from "vitest";
import { atLeast, atMost, median, renderTable, spreadOf } from "./figures.ts";

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
])("the median of %j is %d", (values, expected) => {
  expect(median(values)).toBe(expected);
});

test("a figure without rounds throws", () => {
  expect(() => spreadOf([])).toThrow("at least one round");
});

test("a goal is met by a median that equals its bound", () => {
  const spread = spreadOf([0.1, 0.5, 0.9]);
  expect([atLeast(spread, 0.5).met, atLeast(spread, 0.51).met]).toEqual([true, false]);
  expect([atMost(spread, 0.5).met, atMost(spread, 0.49).met]).toEqual([true, false]);
});

test("the table shows NO for a missed goal, and nothing for a figure without a goal", () => {
  const ratio = spreadOf([0.4, 0.2, 0.6]);
  const figure = { name: "GET", product: "4 /s", baseline: "10 /s", ratio };
  const [, , missed, plain] = renderTable([{ ...figure, goal: atLeast(ratio, 0.5) }, figure]).split("\n");
  expect(missed).toMatch(/0\.40 +\| 0\.20 to 0\.60 +\| at least 0\.5 +\| NO/);
  expect(plain).not.toMatch(/yes|NO/);
});
