import { expect, test } from "vitest";
import { triagedScore } from "./triaged-score.ts";

const FINDINGS = [{ id: "a" }, { id: "b" }, { id: "constructor" }];
const withoutMarked = { score: 91, grade: "A" } as const;
const accepted = { status: "accepted", reason: "Behind the VPN." } as const;
const falsePositive = { status: "falsePositive", reason: "A test host." } as const;

test("without marks there is one score", () => {
  expect(triagedScore(FINDINGS, { marks: {}, withoutMarked })).toBeUndefined();
});

test("marks of findings that the report does not have leave one score", () => {
  expect(triagedScore(FINDINGS, { marks: { z: accepted }, withoutMarked })).toBeUndefined();
});

test("accepted findings and false positives of the report are counted, with the score without them", () => {
  const marks = { a: accepted, b: falsePositive, z: accepted };
  expect(triagedScore(FINDINGS, { marks, withoutMarked })).toEqual({ score: 91, grade: "A", count: 2 });
});
