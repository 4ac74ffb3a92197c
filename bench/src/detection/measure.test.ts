import { expect, test } from "vitest";
import { measure, type Sighting } from "./measure.ts";
import type { Row } from "./row.ts";

const row: Row = {
  checks: ["a/one", "a/two"],
  at: "GET /things/{thingId}",
  weak: { "GET /things/{thingId}": {}, "GET /v1/things": {} },
  safe: {},
  alsoTrue: { "b/other": "the same, seen elsewhere" },
};
const seen = (check: string, at: string, severity: Sighting["severity"] = "high"): Sighting => ({
  check,
  severity,
  places: [at],
});

test.each<[string, Sighting, { found: number; alarms: number }]>([
  ["its check at its place is found", seen("a/one", "GET /things/{}"), { found: 1, alarms: 0 }],
  ["another check that proves it is found", seen("a/two", "GET /things/{}", "low"), { found: 1, alarms: 0 }],
  ["its check elsewhere is a false alarm", seen("a/one", "GET /others"), { found: 0, alarms: 1 }],
  ["another check at its place is a false alarm", seen("c/none", "GET /things/{}"), { found: 0, alarms: 1 }],
  [
    "what goes with it at one of its routes is neither",
    seen("b/other", "GET /v1/things"),
    { found: 0, alarms: 0 },
  ],
  ["what is low is no false alarm", seen("c/none", "GET /others", "low"), { found: 0, alarms: 0 }],
])("of a weak target, %s", (_, sighting, expected) => {
  const { found, alarms } = measure([row], "weak", [sighting]);
  expect({ found: found.length, alarms: alarms.length }).toEqual(expected);
});

test("of a safe target, whatever is grave is a false alarm", () => {
  const { found, alarms } = measure([row], "safe", [seen("a/one", "GET /things/{}")]);
  expect({ found, alarms: alarms.length }).toEqual({ found: [], alarms: 1 });
});
