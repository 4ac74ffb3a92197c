import { expect, test } from "vitest";
import type { Row } from "../row.ts";
import { wrongIn, type IdentityTrial } from "./trial.ts";

const row: Row = { checks: ["a/one"], at: "GET /shop/things", weak: {}, safe: {} };
const rows = (count: number): Row[] => Array.from({ length: count }, () => row);
const trial = (found: number, missed: number, harm: readonly string[] = []): IdentityTrial => ({
  interference: "the shop",
  side: "weak",
  seconds: 1,
  outcome: "D, 0.8",
  requests: 100,
  found: rows(found),
  missed: rows(missed),
  wavering: [],
  falsePositives: [],
  misplaced: [],
  undecided: [],
  flattered: false,
  harm,
});

test("scans with identities that find 85 of 100 weaknesses together are good enough", () => {
  expect(wrongIn([trial(80, 10), trial(5, 5)])).toEqual([]);
});

test("scans with identities that find fewer fail the benchmark", () => {
  expect(wrongIn([trial(84, 16)])).toEqual(["recall with identities: 84 of 100, below 0.85"]);
});

test("scans without identities are expected to find nothing", () => {
  expect(wrongIn([trial(0, 0)])).toEqual([]);
});

test("a changed row fails the benchmark", () => {
  expect(wrongIn([trial(1, 0, ["a seeded row was changed: notes 1"])])).toEqual([
    "harm: a seeded row was changed: notes 1 (weak side; the shop)",
  ]);
});
