import { expect, test } from "vitest";
import { measure, type FoundInstance } from "./measure.ts";
import type { Row } from "./row.ts";

const row: Row = {
  checks: ["a/one", "a/two"],
  at: "GET /things/{thingId}",
  weak: { "GET /things/{thingId}": {}, "GET /v1/things": {} },
  safe: {},
  alsoTrue: { "b/other": "the same, seen elsewhere" },
};
const seen = (check: string, at: string, severity: FoundInstance["severity"] = "high"): FoundInstance => ({
  check,
  severity,
  locations: [at],
});

test.each<[string, FoundInstance, { found: number; falsePositives: number }]>([
  ["its check at its location is found", seen("a/one", "GET /things/{}"), { found: 1, falsePositives: 0 }],
  [
    "another check that proves it is found",
    seen("a/two", "GET /things/{}", "low"),
    { found: 1, falsePositives: 0 },
  ],
  ["its check elsewhere is a false positive", seen("a/one", "GET /others"), { found: 0, falsePositives: 1 }],
  [
    "another check at its location is a false positive",
    seen("c/none", "GET /things/{}"),
    { found: 0, falsePositives: 1 },
  ],
  [
    "what goes with it at one of its routes is neither",
    seen("b/other", "GET /v1/things"),
    { found: 0, falsePositives: 0 },
  ],
  [
    "what is low is not a false positive",
    seen("c/none", "GET /others", "low"),
    { found: 0, falsePositives: 0 },
  ],
])("of a weak target, %s", (_, instance, expected) => {
  const { found, falsePositives } = measure([row], "weak", [instance]);
  expect({ found: found.length, falsePositives: falsePositives.length }).toEqual(expected);
});

test("of a safe target, any grave finding is a false positive", () => {
  const { found, falsePositives } = measure([row], "safe", [seen("a/one", "GET /things/{}")]);
  expect({ found, falsePositives: falsePositives.length }).toEqual({ found: [], falsePositives: 1 });
});

test("what its evidence shows elsewhere is told of either side", () => {
  const misplaced: FoundInstance = { ...seen("a/one", "GET /things/{}"), misplaced: true };
  for (const side of ["weak", "safe"] as const)
    expect(measure([row], side, [misplaced]).misplaced).toEqual([misplaced]);
});
